"""Studio: the pipeline in a browser, on this machine. It edits the policy and runs it; what the screen did is what the
file says.

    server.py            starts and stops it
    app.py               addresses and their handlers
    guard.py, access.py  who is let in: host, origin, token and cookie
    allowed_folders.py   the folders whose files may be opened
    pages.py             the pages, as HTML from templates/ and static/
    requests.py, request_body.py, answers.py   what pages ask for and change; errors in plain words
    sitting.py           the open table, its policy and its runs; opened_file.py, policy_document.py, run.py its parts
    event_stream.py      tells every tab what has changed
    job_queue.py         one job at a time; job.py how far each is, job_process.py its process, worker.py what it runs,
                         in copies of itself
    tasks.py             what jobs do, over the pipeline; messages.py what they tell
    policy_state.py, policy_choices.py, column_taxonomy.py   the policy as forms show it
    exported_run.py      the files of a run, and the lines that repeat it
    chart_markup.py, chart_scripts.py   charts that the browser draws

Nothing here computes a figure or decides what a report says: pages show the outlines of ``report``.
"""
