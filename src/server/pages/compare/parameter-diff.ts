import { diffLines } from 'diff'
import { budgets } from '../../../base/budgets/budgets.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { clipText } from '../parts/values.ts'
import type { DifferingParameter, DifferingResource } from './catalogs.ts'

const most = budgets.pages.text.bound

/** Sign and screen-reader word for each kind of change, in addition to color. */
const signs = { added: ['+', 'added'], removed: ['−', 'removed'], changed: ['~', 'changed'] } as const

/** The parameters of a differing resource, with the older values on the left. */
export function renderSideBySide(
  { reference, kind, parameters }: DifferingResource,
  names: readonly [string, string],
): Html {
  const [sign, word] = signs[kind]
  const label = html`<span class="kind ${kind}"><span aria-hidden="true">${sign}</span><span class="hidden">${word}</span></span> <code>${reference}</code>`
  if (parameters.length === 0) return html`<li class="differing">${label}</li>`
  const body = html`<div class="scroll" role="region" aria-label="${reference}" tabindex="0"><table class="diff">
<caption class="hidden">${reference}, ${word}</caption>
<thead><tr><th scope="col">Parameter</th><th scope="col">${names[0]}</th><th scope="col">${names[1]}</th></tr></thead>
<tbody>${parameters.map(renderRow)}</tbody></table></div>`
  if (kind === 'changed')
    return html`<li class="differing"><details open><summary>${label}</summary>${body}</details></li>`
  return html`<li class="differing"><details><summary>${label}</summary>${body}</details></li>`
}

function renderRow({ name, from, to }: DifferingParameter): Html {
  const lines = compareLines(from, to)
  const [left, right] = lines ?? [renderWholeValue(from, 'del'), renderWholeValue(to, 'ins')]
  return html`<tr><th scope="row">${name}</th><td>${left}</td><td>${right}</td></tr>`
}

function renderWholeValue(value: ExactJson | undefined, mark: 'del' | 'ins'): Html {
  if (value === undefined) return html`<span class="none">none</span>`
  const text = clipText(typeof value === 'string' ? value : formatExactJson(value))
  return mark === 'del' ? html`<pre><del>${text}</del></pre>` : html`<pre><ins>${text}</ins></pre>`
}

/** Compares multi-line texts line by line; `undefined` for other values and for texts that are too long. */
function compareLines(from: ExactJson | undefined, to: ExactJson | undefined): readonly [Html, Html] | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || !(from.includes('\n') || to.includes('\n')))
    return undefined
  if (from.length > most || to.length > most) return undefined
  const parts = diffLines(from, to, { timeout: budgets.pages.turn.bound })
  if (!parts) return undefined
  const left = parts.filter(({ added }) => !added)
  const right = parts.filter(({ removed }) => !removed)
  return [
    html`<pre>${left.map(({ value, removed }) => (removed ? html`<del>${value}</del>` : value))}</pre>`,
    html`<pre>${right.map(({ value, added }) => (added ? html`<ins>${value}</ins>` : value))}</pre>`,
  ]
}
