import { type Html, html } from '../../../base/text/html.ts'
import type { CompileProfile } from '../../../compiler/profile/compile-profile.ts'
import { buildCostTree, type CostNode } from '../../../compiler/profile/cost-tree.ts'
import type { WorkKind } from '../../../language/host.ts'

/** Sizes in pixels. */
const width = 1200
const rowHeight = 17
const head = 44
/** Narrower frames are not drawn. */
const narrowest = 0.5
const charWidth = 6.7

/** Style class of each kind of work. */
const classes: Readonly<Record<WorkKind, string>> = {
  phase: 'p',
  class: 'c',
  'defined type': 'd',
  function: 'f',
  lambda: 'l',
  template: 't',
  'Hiera level': 'h',
}

/** Fills by kind; dark text has a contrast of at least 7:1 on each. */
const style = `text{font:11px monospace;fill:#1a1a1a}rect{stroke:#fff;stroke-width:.5}.a{fill:#e4e4e4}\
.p{fill:#d0d0d8}.c{fill:#f0b07a}.d{fill:#f2d06b}.f{fill:#a9d08e}.l{fill:#cfe6bf}.t{fill:#9cc3e6}.h{fill:#d9b3e6}`

interface Frame {
  readonly node: CostNode
  readonly row: number
  /** Left edge in pixels. */
  readonly x: number
  readonly width: number
}

/** Draws a flame graph: the width of a frame is its total time, and the frames below it are the work inside. */
export function formatFlameGraph(profile: Pick<CompileProfile, 'events'>, title: string): string {
  const root = buildCostTree(profile)
  const frames: Frame[] = []
  arrangeFrames({ node: root, row: 0, x: 0, width }, width / (root.total || 1), frames)
  const rows = frames.reduce((most, { row }) => Math.max(most, row + 1), 0)
  const height = head + rows * rowHeight
  const legend = Object.entries(classes).map(
    ([kind, style], at) => html`
<rect class="${style}" x="${at * 120}" y="22" width="12" height="12"/><text x="${at * 120 + 16}" y="32">${kind}</text>`,
  )
  const heading = `${title}: ${root.total.toFixed(1)} ms`
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${heading}</title>
<style>`
  const body = html`</style>
<rect fill="#fff" width="${width}" height="${height}"/>
<text x="2" y="14">${heading}</text>${legend}
${frames.map((frame) => drawFrame(frame, root.total))}</svg>
`
  return `${svg}${style}${body}`
}

/** Places a frame and the work inside it, the most expensive first. */
function arrangeFrames(frame: Frame, scale: number, frames: Frame[]): void {
  frames.push(frame)
  let { x } = frame
  for (const node of frame.node.children.toSorted((one, other) => other.total - one.total)) {
    const inner = { node, row: frame.row + 1, x, width: node.total * scale }
    if (inner.width < narrowest) return
    arrangeFrames(inner, scale, frames)
    x += inner.width
  }
}

function drawFrame({ node, row, x, width }: Frame, all: number): Html {
  const { work, calls, total, own } = node
  const name = work ? work.name : 'all'
  const described = work ? `${work.kind} ${name}` : name
  const share = ((100 * total) / (all || 1)).toFixed(1)
  const y = head + row * rowHeight
  return html`<g><title>${described}: ${total.toFixed(2)} ms (${share} %), own ${own.toFixed(2)} ms, calls: ${calls}</title>
<rect class="${work ? classes[work.kind] : 'a'}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${rowHeight}"/>${drawLabel(name, x, y, width)}</g>
`
}

/** Draws the part of a name that fits into the frame. */
function drawLabel(name: string, x: number, y: number, width: number): Html | undefined {
  const room = Math.floor((width - 4) / charWidth)
  if (room < 3) return undefined
  const chars = [...name]
  const text = chars.length <= room ? name : `${chars.slice(0, room - 1).join('')}…`
  return html`<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${text}</text>`
}
