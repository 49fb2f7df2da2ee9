// Plots on logarithmic axes as SVG, readable on light and dark pages.
const [width, height] = [690, 360]
const area = { left: 56, right: 412, top: 36, bottom: 318 }
/** Colors with enough contrast on white and on black (Okabe and Ito, and grays). */
const colors = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#b8860b',
  '#cc79a7',
  '#56a0d3',
  '#8c6d31',
  '#7f7f7f',
  '#9467bd',
  '#2ca02c',
  '#e0557a',
  '#1fa3a3',
  '#a05d00',
]

/**
 * Draws series over their sizes. A dotted line shows linear growth.
 * @param {string} title
 * @param {readonly { readonly title: string, readonly unit: string, readonly points: readonly { size: number, value: number }[] }[]} series
 */
export function drawPlot(title, series) {
  const points = series.flatMap((each) => each.points).filter(({ value }) => value > 0)
  const [x, y] = [
    scale(
      points.map(({ size }) => size),
      area.left,
      area.right,
    ),
    scale(
      points.map(({ value }) => value),
      area.bottom,
      area.top,
    ),
  ]
  const lines = series.map((each, at) => drawSeries(each, colors[at % colors.length], at, x, y))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Costs by ${escapeText(title)}</title>
<style>text{font:11px sans-serif;fill:#777}.axis{stroke:#888;stroke-opacity:.4}.linear{stroke:#888;stroke-dasharray:2 4}polyline{fill:none;stroke-width:2}@media(prefers-color-scheme:dark){text{fill:#aaa}}</style>
<text x="${area.left}" y="18">ms of processor time and MiB by ${escapeText(title)}</text>
${drawAxis(x, 'x')}${drawAxis(y, 'y')}${drawLinear(x, y)}${lines.join('')}</svg>
`
}

/** A logarithmic scale whose ends are powers of ten. */
function scale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return { low, high, at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) }
}

function drawAxis({ low, high, at }, axis) {
  const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  return powers
    .map((power) => {
      const [place, label] = [
        at(power).toFixed(1),
        power >= 1 ? power.toLocaleString('en') : String(Number(power.toPrecision(1))),
      ]
      if (axis === 'x')
        return `<line class="axis" x1="${place}" x2="${place}" y1="${area.top}" y2="${area.bottom}"/><text x="${place}" y="${area.bottom + 16}" text-anchor="middle">${label}</text>\n`
      return `<line class="axis" x1="${area.left}" x2="${area.right}" y1="${place}" y2="${place}"/><text x="${area.left - 6}" y="${place}" dy="4" text-anchor="end">${label}</text>\n`
    })
    .join('')
}

/** The line of linear growth through the lower left corner. */
function drawLinear(x, y) {
  const decades = Math.min(x.high - x.low, y.high - y.low)
  const point = (power) => `${x.at(10 ** (x.low + power)).toFixed(1)},${y.at(10 ** (y.low + power)).toFixed(1)}`
  return `<polyline class="linear" style="stroke-width:1" points="${point(0)} ${point(decades)}"/>\n`
}

function drawSeries({ title, unit, points }, color, at, x, y) {
  const shown = points.filter(({ value }) => value > 0)
  const place = ({ size, value }) => `${x.at(size).toFixed(1)},${y.at(value).toFixed(1)}`
  const dots = shown.map((each) => {
    const [left, top] = place(each).split(',')
    return `<circle cx="${left}" cy="${top}" r="2.5" fill="${color}"><title>${escapeText(title)}: ${each.value.toPrecision(3)} ${unit} at ${each.size}</title></circle>`
  })
  const top = area.top + 6 + at * 20
  const key = `<line x1="${area.right + 14}" x2="${area.right + 30}" y1="${top}" y2="${top}" stroke="${color}" stroke-width="2"/><text x="${area.right + 36}" y="${top + 4}">${escapeText(title)}</text>`
  return `<polyline stroke="${color}" points="${shown.map(place).join(' ')}"/>${dots.join('')}${key}\n`
}

const escapeText = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
