// Questions to the server of Studio, and its refusals.

export class Refusal extends Error {
  constructor(status, lines) {
    super(lines[0]);
    this.status = status;
    this.lines = lines;
  }
}

const GONE = ["Studio does not answer.", "Is it still running? Start it again with: shoal studio"];

export async function ask(method, address, body, headers = {}) {
  const is_json = body !== undefined && !(body instanceof Blob);
  const type = is_json ? { "Content-Type": "application/json" } : {};
  const answer = await fetch(address, {
    method,
    headers: { ...type, ...headers },
    body: is_json ? JSON.stringify(body) : body,
  }).catch(() => {
    throw new Refusal(0, GONE);
  });
  const told = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(answer.status, told?.error?.lines ?? [`Studio answered with error ${answer.status}.`]);
  return told;
}

export const get = (address) => ask("GET", address);
export const post = (address, body = {}) => ask("POST", address, body);
export const put = (address, body) => ask("PUT", address, body);
