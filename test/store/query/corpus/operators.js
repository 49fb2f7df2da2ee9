// Every operator on every field of every entity, whether it makes sense or not.
import { entities } from './entities.js'
import { ask } from './request.js'

/** Patterns for `~`, by the kind of field. */
const patterns = {
  string: ['^[a-p].*', 'o|7'],
  time: ['2026'],
  boolean: ['t'],
  number: ['1'],
  list: ['a'],
  json: ['e'],
  value: ['^(De|1)'],
}

/** The first of these is right for the kind; the others may be errors. */
const bounds = {
  string: ['m', 5],
  time: [],
  number: [10, '10', 1.5],
  boolean: [true],
  json: [2, 'x'],
  value: [2, '2', 1.5],
  list: [1],
  path: [1],
}

/** @returns {import('./request.js').Question[]} */
export function operatorQuestions() {
  return Object.entries(entities).flatMap(([entity, fields]) =>
    Object.entries(fields).flatMap(([field, [kind, ...values]]) => [
      ...values.flatMap((value) => [ask(entity, ['=', field, value]), ask(entity, ['not', ['=', field, value]])]),
      ...comparisons(field, kind, values).map((query) => ask(entity, query)),
    ]),
  )
}

function comparisons(field, kind, values) {
  const [first] = values
  const limits = kind === 'time' ? values : bounds[kind]
  return [
    ...limits
      .slice(0, kind === 'string' ? 1 : 3)
      .flatMap((limit, at) => operatorsAt(at, kind).map((operator) => [operator, field, limit])),
    ...(patterns[kind] ?? []).map((pattern) => ['~', field, pattern]),
    ...(kind === 'path'
      ? [
          ['~>', field, ['os', '.*']],
          ['~>', field, ['mixed', 5]],
          ['~>', field, ['.*', 'r.*', 'm.*']],
          ['~', field, 'os'],
        ]
      : []),
    ['null?', field, true],
    ['null?', field, false],
    ['in', field, ['array', values]],
    ['in', field, ['array', [first, 'web01.example.com']]],
  ]
}

/** All four operators for the first limit; one for limits of a wrong type. */
function operatorsAt(at, kind) {
  if (kind === 'string') return ['>']
  return at === 0 ? ['>', '<', '>=', '<='] : ['>=']
}
