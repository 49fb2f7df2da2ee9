import { type Html, html } from '../../../base/text/html.ts'
import { nodeStates, type StateName } from '../node-state.ts'

/** A state as a sign and a word. */
export function stateBadge(name: StateName): Html {
  const { label, sign, meaning } = nodeStates.find((state) => state.name === name)!
  return html`<span class="badge ${name}" title="${meaning}"><span aria-hidden="true">${sign}</span> ${label}</span>`
}

/** Statuses of events and levels of logs, each with the state that it looks like. */
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

/** A word of a report as a sign and that word. */
export function wordBadge(word: string): Html {
  const [look, sign] = Object.hasOwn(looks, word) ? looks[word]! : (['unresponsive', '·'] as const)
  return html`<span class="badge ${look}"><span aria-hidden="true">${sign}</span> ${word}</span>`
}
