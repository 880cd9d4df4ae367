// One stream of events for all tabs: a browser opens only a few connections to a server, and a stream keeps one.

const tabs = [];
let latest = null;
const events = new EventSource("/api/events");

const tell = (message) => tabs.forEach((tab) => tab.postMessage(message));

events.addEventListener("state", (event) => tell((latest = { state: JSON.parse(event.data) })));
events.addEventListener("end", () => {
  events.close();
  tell((latest = { end: true }));
});

self.addEventListener("connect", ({ ports: [tab] }) => {
  tabs.push(tab);
  tab.start();
  if (latest) tab.postMessage(latest);
});
