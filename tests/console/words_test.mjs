import assert from "node:assert/strict";
import {test} from "node:test";

import {eventParser} from "../../web/console/src/event_stream.js";
import {merge, recent, thinned, withPoint} from "../../web/console/src/history.js";
import {detail, sentence, warnings} from "../../web/console/src/assessment.js";
import {durability, duration, noLevel, share, several, whoAnswers} from "../../web/console/src/words.js";
import {simulation} from "./simulation.mjs";

const kClasses = ["car", "bus", "van", "truck"];
const historyOf = (options) =>
  ({classes: kClasses, points: Array.from({length: 120}, simulation({classes: kClasses, start: 0, ...options}))});

test("events are read however the bytes are cut", () => {
  const text = ": hello\n\nevent: point\ndata: {\"a\":\ndata: 1}\n\r\ndata:plain\r\r\nevent: empty\n\ndata: unfinished";
  const expected = [["point", "{\"a\":\n1}"], ["message", "plain"]];
  for (let size = 1; size <= text.length; ++size) {
    const told = [], feed = eventParser((type, data) => told.push([type, data]));
    for (let at = 0; at < text.length; at += size) feed(text.slice(at, at + size));
    assert.deepEqual(told, expected, `pieces of ${size}`);
  }
});

const point = (time, span, rows, confidence) =>
  ({time, span, batches: 1, rows, confidence, chains: null, movement: [confidence, 0], proportions: [1, 0]});

test("merged points weigh their rows", () => {
  const merged = merge(point(10, 10, 1, 0.5), point(20, 10, 3, 0.9));
  assert.equal(merged.rows, 4);
  assert.equal(merged.span, 20);
  assert.equal(merged.batches, 2);
  assert.ok(Math.abs(merged.confidence - 0.8) < 1e-12);
  assert.ok(Math.abs(merged.movement[0] - 0.8) < 1e-12);
  assert.equal(merged.chains, null);
  assert.equal(merged.warning, null);
});

test("merged points keep the worse level and the last who answered", () => {
  const guards = [{answers: "chains", held_by: "none"}, {answers: "source", held_by: "zeta"}];
  const [first, second] = ["act", "fine"].map(
    (warning, index) => ({...point(10 * index, 10, 1, 0.5), warning, guard: guards[index]}));
  assert.equal(merge(first, second).warning, "act");
  assert.deepEqual(merge(first, second).guard, guards[1]);
  assert.equal(merge({...first, warning: null}, second).warning, "fine");
});

test("a point replaces those it covers, and the number of points is bounded", () => {
  assert.deepEqual(
    withPoint([point(10, 10, 1, 0), point(15, 5, 1, 0)], point(20, 10, 2, 0)).map(({time}) => time), [10, 20]);
  let points = [];
  for (let time = 1; time <= 3000; ++time) points = withPoint(points, point(time, 1, 2, 0.5));
  assert.ok(points.length <= 512);
  assert.equal(points.reduce((rows, {rows: more}) => rows + more, 0), 6000);
  assert.equal(points.at(-1).time, 3000);
});

test("points too fine to be seen are drawn as one, and no row is lost", () => {
  const points = [point(10, 10, 100, 0.5), ...Array.from({length: 7}, (_, index) => point(11 + index, 1, 10, 0.5))];
  assert.deepEqual(thinned(points, 3).map(({time, rows}) => [time, rows]), [[10, 100], [13, 30], [16, 30], [17, 10]]);
});

test("recent is the last thousand rows", () => {
  const points = [point(1, 1, 9000, 0), point(2, 1, 600, 0.5), point(3, 1, 600, 0.7)];
  assert.ok(Math.abs(recent(points).confidence - 0.6) < 1e-12);
});

test("a drift that is followed is nothing unusual", () => {
  const history = historyOf({seed: 3});
  assert.deepEqual(warnings(history, []), []);
  assert.equal(sentence("active", [], history.points), "Adapting. Nothing unusual.");
  assert.match(detail("active", history.points, [], 1200),
    /^Label chains answer \(zeta \d+, excess 0\.\d+, autocorrelation 0\.\d+\)\. \d+ % of answers differ from the /);
  assert.match(detail("active", history.points, [], 1600), /No traffic for 7 minutes\.$/);
});

test("the warning level is a rule by itself, and needs no beginning", () => {
  const history = historyOf({seed: 3}), last = history.points.at(-1);
  for (const [warning, level, words] of [["watch", "notice", "Worth a look"], ["act", "worse", "Something is wrong"]]) {
    last.warning = warning;
    const found = warnings(history, []);
    assert.equal(found[0].level, level);
    assert.match(found[0].text, /^The source's accuracy (may have|has probably) fallen since its card was made\./);
    assert.equal(sentence("active", found, history.points), `Adapting. ${words}.`);
    assert.deepEqual(warnings({...history, points: [last]}, []), found);
    assert.equal(warnings({...history, points: [{...last, rows: 499}]}, []), null, "of few rows it is noise");
  }
});

test("nothing is called usual without a warning level", () => {
  const {classes, points} = historyOf({seed: 3, guarded: false});
  assert.deepEqual(warnings({classes, points}, []), []);
  assert.equal(sentence("active", [], points), "Adapting.");
  assert.equal(noLevel("stad-safe"), "No card: accuracy cannot be estimated without labels.");
  assert.match(noLevel("stad-vmf"), /^No warning level with stad-vmf: /);
});

test("a collapse is called one, the worst first", () => {
  const found = warnings(historyOf({seed: 3, collapse: 1, guarded: false}), []);
  assert.equal(found[0].level, "worse");
  const text = found.map((warning) => warning.text).join("\n");
  for (const words of ["Classes are running into each other", "are “car”", "more than a third"])
    assert.ok(text.includes(words), words);
  assert.equal(sentence("active", found, [1]), "Adapting. Something is wrong.");
});

test("after a reset nothing is held against what came before", () => {
  const history = historyOf({seed: 3, collapse: 1}), last = history.points.at(-1).time;
  history.points.at(-1).warning = "fine";
  assert.equal(warnings(history, [{kind: "reset", time: last - 15}]), null);
  assert.match(detail("active", history.points, [{kind: "reset", time: last}], last), /^The stream was reset/);
  assert.equal(sentence("active", null, [1]), "Adapting. Too early to judge.");
  assert.notEqual(warnings(history, [{kind: "snapshot", time: last - 15}]), null);
});

test("one class that runs away is named", () => {
  const history = historyOf({seed: 3});
  for (const each of history.points.slice(-20)) each.movement = [1.2, 0.2, 0.21, 0.19];
  assert.match(warnings(history, [])[0].text, /^“car” has moved 69° from its source, the others about 12°/);
});

test("methods that tell less are judged by what they tell", () => {
  const history = historyOf({seed: 3, collapse: 1});
  for (const each of history.points)
    Object.assign(
      each, {flip_rate: null, warning: null, chains: null, guard: null, dispersion: null, movement: []});
  assert.deepEqual(warnings(history, []), []);
  assert.equal(detail("active", history.points, [], 1200), "");
});

test("figures are said in words", () => {
  assert.equal(share(0.0412), "4.1 %");
  assert.equal(share(0.412), "41 %");
  const guard = {answers: "source", zeta: 0.8, excess: 0.12, autocorrelation: 0.553};
  for (const [test, words] of [
    ["rows", "too few rows yet"], ["zeta", "labels do not persist (zeta 0.8, needs 4)"],
    ["excess", "labels persist too weakly (excess 0.12, needs 0.3)"],
    ["autocorrelation", "the noise persists as well (autocorrelation 0.55, at most 0.3)"]])
    assert.equal(whoAnswers({...guard, held_by: test}), `The source answers: ${words}`);
  assert.equal(whoAnswers({answers: "chains", held_by: "none", zeta: 31.4, excess: 0.7, autocorrelation: 0.05}),
    "Label chains answer (zeta 31, excess 0.7, autocorrelation 0.05)");
  assert.equal(whoAnswers({...guard, held_by: "rows"}, "shadow"), "The source would answer: too few rows yet");
  assert.equal(several(1, "batch"), "1 batch");
  assert.equal(several(1207, "batch"), "1,207 batches");
  assert.equal(duration(420), "7 minutes");
  assert.equal(durability({durability: "interval", interval: 2}),
    "Up to 2 s of learning may be lost in a crash; answers are not affected.");
  assert.equal(durability({durability: "interval", interval: 2, on_disk: false}),
    "Nothing is kept on disk: what is learned ends with the service.");
});
