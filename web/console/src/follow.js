// Follows a stream's events for as long as wanted, through lost connections.
import {readEvents} from "./event_stream.js";

const kLongest = 30;  // seconds between two attempts
const kAbsent = 3;    // a stream that does not exist may begin any moment

// `open(signal)` gives an answer to read or throws; an error with status 404 means that there is no such stream.
// Tells `on.event(type, data)`, and `on.state("connecting" | "live" | "absent" | "lost", seconds until the next
// attempt, reason the service gave, its status)`, and `on.refused(error)` where trying again is of no use.
export const follow = (open, on) => {
  let closed = false, attempt = 0, current = null, endPause = () => {};

  const once = async () => {
    current = new AbortController();
    const answer = await open(current.signal);
    on.state("live");
    attempt = 0;
    await readEvents(answer, (type, data) => closed || on.event(type, JSON.parse(data)), () => current.abort());
  };
  // Not all at once after an outage: up to a quarter earlier.
  const delay = () => Math.min(kLongest, 2 ** attempt++) * (1 - Math.random() / 4);
  const pause = (seconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    endPause = () => { clearTimeout(timer); resolve(); };
  });

  const run = async () => {
    on.state("connecting");
    while (!closed) {
      let seconds, reason, status;
      try {
        await once();
      } catch (error) {
        if (error.status === 404) seconds = kAbsent;
        if (error.status) ({message: reason, status} = error);
        if (error.status < 500 && ![404, 429].includes(error.status)) return closed || on.refused(error);
      }
      if (closed) return;
      on.state(seconds ? "absent" : "lost", seconds ??= delay(), reason, status);
      await pause(seconds);
    }
  };
  const now = () => endPause();
  addEventListener("online", now);
  run();
  return {now, close: () => { closed = true; removeEventListener("online", now); current?.abort(); endPause(); }};
};
