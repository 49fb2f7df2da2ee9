import { type Html, html } from '../../../base/text/html.ts'

/** A part of a bar: its size, label, and CSS class. */
export interface BarShare {
  readonly look: string
  readonly label: string
  readonly count: number
}

/** Renders shares as a bar, with their text as its label. */
export function renderBar(shares: readonly BarShare[]): Html {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  const said = shares.filter(({ count }) => count > 0).map(({ label, count }) => `${label}: ${count}`)
  let at = 0
  const parts = shares.map(({ look, count }) => {
    const width = total === 0 ? 0 : (100 * count) / total
    const part =
      width > 0 && html`<rect class="${look}" x="${at.toFixed(3)}" y="0" width="${width.toFixed(3)}" height="10"/>`
    at += width
    return part
  })
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${said.join(', ') || 'none'}">${parts}</svg>`
}
