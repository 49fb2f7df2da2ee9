import { type Html, html } from '../../../base/text/html.ts'
import { nodeStates, type StateName } from '../node-state.ts'

/** Renders a state as a sign and its label. */
export function renderStateBadge(name: StateName): Html {
  const { label, sign, meaning } = nodeStates.find((state) => state.name === name)!
  return html`<span class="badge ${name}" title="${meaning}"><span aria-hidden="true">${sign}</span> ${label}</span>`
}

/** Colors and signs of event statuses and log levels. A color is named by the node state that has the same color. */
const looks: Readonly<Record<string, readonly [look: StateName, sign: string]>> = {
  failure: ['failed', '✕'],
  success: ['changed', '△'],
  noop: ['noop', '◌'],
  skipped: ['unresponsive', '–'],
  audit: ['unresponsive', '·'],
  emerg: ['failed', '✕'],
  alert: ['failed', '✕'],
  crit: ['failed', '✕'],
  err: ['failed', '✕'],
  warning: ['drifting', '!'],
  notice: ['changed', '·'],
  info: ['unresponsive', '·'],
  debug: ['unresponsive', '·'],
}

/** Renders an event status or log level with a sign. */
export function renderWordBadge(word: string): Html {
  const [look, sign] = Object.hasOwn(looks, word) ? looks[word]! : (['unresponsive', '·'] as const)
  return html`<span class="badge ${look}"><span aria-hidden="true">${sign}</span> ${word}</span>`
}
