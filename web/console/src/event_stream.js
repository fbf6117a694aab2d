// Server-sent events out of the text of an answer. The browser's own EventSource cannot send a token.

// Returns a function to feed with pieces of text, cut anywhere; tells of each whole event by `tell(type, data)`.
export const eventParser = (tell) => {
  let rest = "", type = "", data = [];
  const take = (line) => {
    if (line === "") {
      if (data.length) tell(type || "message", data.join("\n"));
      type = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") type = value;
    if (field === "data") data.push(value);
  };
  return (text) => {
    rest += text;
    for (;;) {
      const end = rest.search(/[\r\n]/);
      // A carriage return at the very end may be half of a line's end.
      if (end < 0 || (rest[end] === "\r" && end + 1 === rest.length)) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (rest.startsWith("\r\n", end) ? 2 : 1));
      take(line);
    }
  };
};

const kSilence = 40_000;  // ms; the service says something every 15 s

// Reads an answer until it ends. Silence for too long is an end as well: the other side may be gone without a word.
export const readEvents = async (answer, tell, abort) => {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const feed = eventParser(tell);
  let timer;
  const wind = () => { clearTimeout(timer); timer = setTimeout(abort, kSilence); };
  try {
    for (;;) {
      wind();
      const {value, done} = await reader.read();
      if (done) return;
      feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
};
