// Draws a chart of each table of figures in the page. The tables stay in the page.
import uPlot from './uplot.js'

/**
 * Columns of a figure's table: the times in seconds since 1970, and the series.
 * @param {HTMLTableElement} table
 */
function columnsOf(table) {
  const heads = [...table.querySelectorAll('thead th[data-look]')]
  const rows = [...(table.tBodies[0]?.rows ?? [])]
  const times = rows.map((row) => Number(row.cells[0]?.dataset['time']) / 1000)
  const series = heads.map((head, at) => ({
    label: head.textContent ?? '',
    look: head.getAttribute('data-look') ?? '',
    figures: rows.map((row) => Number(row.cells[at + 1]?.textContent)),
  }))
  return { times, series }
}

/** @param {string} name of a custom property */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

/** Adds to each series the sum of the series before it. @param {number[][]} figures by series */
function stacked(figures) {
  let below = figures[0]?.map(() => 0) ?? []
  return figures.map((each) => {
    below = each.map((figure, at) => figure + (below[at] ?? 0))
    return below
  })
}

/** @param {Element} figure */
function draw(figure) {
  const table = figure.querySelector('table')
  const plot = figure.querySelector('.plot')
  const readout = figure.querySelector('.readout')
  if (!table || !(plot instanceof HTMLElement) || !readout) return
  const { times, series } = columnsOf(table)
  plot.replaceChildren()
  const step = (times[1] ?? 0) - (times[0] ?? 0)
  // The highest sum is drawn first, so that the lower sums are drawn over it.
  const sums = stacked(series.map(({ figures }) => figures)).reverse()
  const shown = [...series].reverse()
  const bars = figure.getAttribute('data-kind') === 'stacked' ? uPlot.paths.bars?.({ size: [0.82, 60] }) : undefined
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line'), width: 1 },
  }
  new uPlot(
    {
      width: plot.clientWidth,
      height: 210,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { range: (_chart, least, most) => [least - step / 2, most + step / 2] },
        y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] },
      },
      axes: [
        { ...axis, size: 32, values: (_chart, splits) => splits.map((at) => clock(at, step < 60)) },
        { ...axis, size: 52, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000] },
      ],
      series: [
        {},
        ...shown.map(({ label, look }) => ({
          label,
          fill: colour(look),
          stroke: colour(look),
          width: 0,
          points: { show: false },
          ...(bars && { paths: bars }),
        })),
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx } }) => {
            readout.textContent =
              idx === null || idx === undefined
                ? ''
                : `${clock(times[idx] ?? 0, step < 60)}: ${series.map(({ label, figures }) => `${figures[idx]} ${label.toLowerCase()}`).join(', ')}`
          },
        ],
      },
    },
    [times, ...sums],
    plot,
  )
}

/**
 * @param {number} seconds since 1970
 * @param {boolean} isExact to the second
 */
function clock(seconds, isExact) {
  const parts = { hour: '2-digit', minute: '2-digit', hour12: false, ...(isExact && { second: '2-digit' }) }
  return new Date(seconds * 1000).toLocaleTimeString([], /** @type {Intl.DateTimeFormatOptions} */ (parts))
}

const figures = [...document.querySelectorAll('figure.chart')]
const drawAll = () => figures.forEach(draw)
drawAll()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
let waiting = 0
addEventListener('resize', () => {
  clearTimeout(waiting)
  waiting = setTimeout(drawAll, 120)
})
