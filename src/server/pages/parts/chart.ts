import { type Html, html } from '../../../base/text/html.ts'

/** Figures over time: a chart with JavaScript, and always a table. */
export interface Chart {
  readonly caption: string
  readonly kind: 'stacked' | 'line'
  readonly series: readonly { readonly label: string; readonly look: string }[]
  /** A time in milliseconds since 1970, and a figure for each series. */
  readonly points: readonly { readonly time: number; readonly figures: readonly number[] }[]
  /** A sentence that summarizes the chart. */
  readonly summary: string
}

/** Renders a chart with its table. */
export function renderChart({ caption, kind, series, points, summary }: Chart): Html {
  return html`<figure class="chart" data-kind="${kind}">
<figcaption><h2>${caption}</h2><p>${summary}</p></figcaption>
<ul class="legend" aria-hidden="true">${series.map(({ label, look }) => html`<li class="${look}">${label}</li>`)}</ul>
<div class="plot" aria-hidden="true"></div>
<p class="readout" aria-hidden="true"></p>
<details><summary>Figures</summary>
<div class="scroll" role="region" aria-label="${caption}, figures" tabindex="0"><table>
<caption class="hidden">${caption}</caption>
<thead><tr><th scope="col">Time (UTC)</th>${series.map(({ label, look }) => html`<th scope="col" class="number" data-look="${look}">${label}</th>`)}</tr></thead>
<tbody>${points.map(
    ({
      time,
      figures,
    }) => html`<tr><th scope="row" data-time="${time}">${formatChartTime(time)}</th>${figures.map((figure) => html`<td class="number">${figure}</td>`)}</tr>
`,
  )}</tbody></table></div></details>
</figure>`
}

function formatChartTime(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
