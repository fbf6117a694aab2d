// Numbers and states in words that need no manual.

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;
export const degrees = (radians, digits = 0) => `${(radians * 180 / Math.PI).toFixed(digits)}°`;
export const count = (value) => value.toLocaleString("en");

const plural = (thing) => thing.endsWith("ch") ? `${thing}es` : `${thing}s`;
export const several = (value, thing) => `${count(value)} ${value === 1 ? thing : plural(thing)}`;

// A share: small ones keep a digit.
export const share = (value) => percent(value, value < 0.1 ? 1 : 0);

export const bytes = (value) => value < 1e6 ? `${Math.ceil(value / 1e3)} KB` : `${(value / 1e6).toFixed(1)} MB`;

const day = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short"});
const minute = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit"});
const second = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit", second: "2-digit"});

// Of the tick marks: as fine as their spacing, in seconds.
export const tick = (time, spacing) => (spacing >= 86400 ? day : spacing >= 60 ? minute : second).format(1000 * time);

export const clock = (time) => {
  const old = Date.now() / 1000 - time > 12 * 3600;
  return `${old ? `${day.format(1000 * time)}, ` : ""}${second.format(1000 * time)}`;
};

export const duration = (seconds) => {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 36 * 3600 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86400)} days`;
};
export const ago = (time) => {
  const seconds = Date.now() / 1000 - time;
  return seconds < 5 ? "now" : `${duration(seconds)} ago`;
};

export const streamName = (stream) => stream === "" ? "the default stream" : stream;

export const kModes = {
  active: {state: "Adapting", means: "Every batch is learned from, and the adapted classifier answers."},
  shadow: {
    state: "In shadow: it learns, but the source answers",
    means:
      "Every batch is learned from, but callers get the source's answers. Watch here whether adapting would be safe."
  },
  frozen: {
    state: "Frozen: it answers, but learns nothing",
    means: "The classifier answers as it stands now. Nothing more is learned."
  },
};

// The warning levels, from none to the worst.
export const kLevels = ["fine", "watch", "act"];
export const kLevelWords = {
  fine: "No sign of lost accuracy",
  watch: "The source's accuracy may have fallen",
  act: "The source's accuracy has probably fallen",
};
export const noLevel = (method) => method === "stad-safe" ? "No card: accuracy cannot be estimated without labels." :
  `No warning level with ${method}: accuracy cannot be estimated without labels.`;

// A number as short as its size allows: 31, 0.8, 0.05.
const short = (value) => Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2));

const kHeldBy = {
  rows: () => "too few rows yet",
  zeta: ({zeta}) => `labels do not persist (zeta ${short(zeta)}, needs 4)`,
  excess: ({excess}) => `labels persist too weakly (excess ${short(excess)}, needs 0.3)`,
  autocorrelation: ({autocorrelation}) =>
    `the noise persists as well (autocorrelation ${short(autocorrelation)}, at most 0.3)`,
};
// In shadow mode the source answers in any case; the sentence is about active mode then.
export const whoAnswers = (guard, mode) => {
  const would = mode === "shadow";
  if (guard.answers === "source")
    return `The source ${would ? "would answer" : "answers"}: ${kHeldBy[guard.held_by]?.(guard) ?? guard.held_by}`;
  return `Label chains ${would ? "would answer" : "answer"} (zeta ${short(guard.zeta)}, ` +
    `excess ${short(guard.excess)}, autocorrelation ${short(guard.autocorrelation)})`;
};

const kDurability = {
  batch: () => "Nothing that was answered is lost in a crash: every batch is on disk before its answer leaves.",
  interval: (seconds) => `Up to ${seconds} s of learning may be lost in a crash; answers are not affected.`,
  none: () => "What is learned lives in memory: a crash loses what came after the last snapshot.",
};
export const durability = ({durability: kind, interval: seconds = 1, on_disk: isOnDisk = true}) => {
  if (!isOnDisk) return "Nothing is kept on disk: what is learned ends with the service.";
  return kDurability[kind]?.(seconds) ?? `Durability: ${kind}.`;
};

// What was learned was exchanged: what came before says nothing of what comes after.
export const isBreak = (kind) => ["reset", "rollback", "restore"].includes(kind);

export const kEvents = {
  snapshot: "Snapshot", rollback: "Rolled back", reset: "Reset", restore: "State restored", delete: "Deleted",
  mode: "Mode changed", model: "Model changed",
};

// The message of an error as a sentence.
export const asSentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
