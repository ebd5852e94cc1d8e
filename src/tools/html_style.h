// The style of the page: light and dark, readable on paper too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::tools {

inline constexpr char html_style[] = R"css(
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2430; --soft: #5c6675; --line: #dfe3e9; --code: #f1f3f6;
  --part0: #4477aa; --part1: #ee9a3a; --part2: #3d9a6a; --part3: #aa6bb0;
  --many: #b9c0ca; --many-stripe: #79828f; --conflict: #e05555; --conflict-stripe: #7d1f1f;
  --empty: #eceff3; --good: #1c7a45; --good-back: #e2f4e9; --bad: #b3261e; --bad-back: #fde8e6;
  --warn: #8a5a00; --warn-back: #fdf1d8; }
@media (prefers-color-scheme: dark) { :root {
  --page: #12161c; --card: #1a2028; --ink: #e4e8ee; --soft: #97a3b3; --line: #2d3642; --code: #222a34;
  --part0: #5b92c9; --part1: #e39a45; --part2: #4fae7e; --part3: #bb82c2;
  --many: #59636f; --many-stripe: #8d99a8; --conflict: #d65a5a; --conflict-stripe: #571818;
  --empty: #242c36; --good: #6fd39a; --good-back: #173626; --bad: #ff9389; --bad-back: #44201d;
  --warn: #f0c36d; --warn-back: #3d3014; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 4px; } h1 small { color: var(--soft); font-weight: 400; }
h2 { font: 600 17px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; margin: 0; overflow-wrap: anywhere; }
h3 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; color: var(--soft);
  margin: 22px 0 8px; }
p { margin: 4px 0; } a { color: inherit; } .soft { color: var(--soft); }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 20px 24px 22px; margin: 20px 0; }
.toc { width: 100%; border-collapse: collapse; margin-top: 16px; }
.toc td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.badge { display: inline-block; border-radius: 999px; padding: 2px 11px; font-size: 13px;
  font-weight: 600; margin: 8px 0 6px; } .toc .badge { margin: 0; white-space: nowrap; }
.good { color: var(--good); background: var(--good-back); }
.bad { color: var(--bad); background: var(--bad-back); }
.warn { color: var(--warn); background: var(--warn-back); }
.pictures { display: flex; flex-wrap: wrap; gap: 22px 34px; align-items: flex-start; }
figure { margin: 0; } figcaption { font-size: 13px; margin-bottom: 7px; }
figcaption code { font-weight: 600; }
.planes { display: flex; flex-wrap: wrap; gap: 12px; } .planes div { font-size: 12px; }
svg { display: block; } svg text { font: 12px ui-monospace, "DejaVu Sans Mono", monospace;
  fill: var(--soft); }
svg .empty { fill: var(--empty); } svg .lines { stroke: var(--card); stroke-width: .7; fill: none; }
svg.patterns { position: absolute; } svg.swatch { display: inline-block; vertical-align: -3px; }
.legend { font-size: 13px; color: var(--soft); margin: 14px 0 0; }
.legend span { margin-right: 16px; white-space: nowrap; }
.any { width: 288px; padding: 0 14px; text-align: center; height: 56px; border: 1.5px dashed var(--many-stripe); border-radius: 8px;
  display: grid; place-items: center; color: var(--soft); font-size: 13px; }
table.facts { border-collapse: collapse; width: 100%; }
table.facts td { padding: 3px 18px 3px 0; vertical-align: top; }
table.facts td:first-child { white-space: nowrap; width: 1%; color: var(--soft); }
table.assumptions td:first-child { white-space: normal; width: auto; }
table.assumptions td:last-child { white-space: nowrap; width: 1%; color: var(--soft); }
td.yes { color: var(--good); } td.no { color: var(--soft); }
.remark { border-left: 4px solid var(--many); padding: 2px 0 2px 14px; margin: 12px 0; }
.remark.warning { border-color: var(--part1); }
.remark pre { background: var(--code); border-radius: 6px; padding: 7px 12px; margin: 6px 0;
  overflow-x: auto; } .remark pre b { color: var(--good); }
details { margin-top: 16px; } summary { cursor: pointer; color: var(--soft); font-size: 13px; }
details pre { background: var(--code); border-radius: 6px; padding: 10px 12px; white-space: pre-wrap;
  overflow-wrap: anywhere; }
@media print { .card { break-inside: avoid; } }
)css";

}  // namespace gridspan::tools
