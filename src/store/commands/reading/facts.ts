import { type ExactObject, isExactObject, memberOf } from '../../../base/json/exact-json.ts'
import { valueName } from '../../clojure-text.ts'
import type { StoredFacts } from '../command.ts'
import { listIn, readTime, renamed, textIn, withDefaults, withMembers } from './fields.ts'
import { issues } from './issues.ts'
import { accepted, listOf, type Misfit, misfitText, nullable, objectOf, type Shape, shaped, text } from './shape.ts'

/** Parses facts of versions 1 to 5. */
export function readFacts(payload: ExactObject, version: number, received: string): StoredFacts {
  const facts = shaped(normalized(inLastVersion(payload, version, received)), shape, issues.COMMAND_FACTS_SHAPE)
  const packages = listIn<readonly string[]>(facts, 'package_inventory')
  const distinct = [...new Map(packages.map((each) => [JSON.stringify(each), each])).values()]
  return {
    certname: textIn(facts, 'certname')!,
    environment: textIn(facts, 'environment'),
    producer_timestamp: textIn(facts, 'producer_timestamp')!,
    producer: textIn(facts, 'producer'),
    values: memberOf(facts, 'values') as ExactObject,
    ...(memberOf(facts, 'package_inventory') && { package_inventory: distinct as unknown as Packages }),
  }
}

type Packages = NonNullable<StoredFacts['package_inventory']>

const lastNames = new Map([
  ['name', 'certname'],
  ['producer-timestamp', 'producer_timestamp'],
])

/** Adds the fields that an older version does not have. PuppetDB: facts.clj, `wire-v2->wire-v5` and so on. */
function inLastVersion(payload: ExactObject, version: number, received: string): ExactObject {
  let facts = payload
  if (version === 1 && memberOf(facts, 'environment') === undefined) facts = withMembers(facts, { environment: null })
  if (version <= 2) facts = withMembers(facts, { 'producer-timestamp': received })
  if (version <= 3) facts = renamed(facts, (key) => lastNames.get(key) ?? key)
  return version <= 4 ? withMembers(facts, { producer: null }) : facts
}

/** Sets an invalid time and missing values to null before the structure is checked, as PuppetDB does. */
function normalized(facts: ExactObject): ExactObject {
  const time = readTime(memberOf(facts, 'producer_timestamp')) ?? null
  return withMembers(withDefaults(facts, { values: null }), { producer_timestamp: time })
}

const packageFields = ['package_name', 'version', 'provider']

/** Name, version and provider of a package: three strings. */
const packageShape: Shape = (value) => {
  if (value !== null && !Array.isArray(value)) return `(not (sequential? ${valueName(value)}))`
  const given = value ?? []
  const items: (Misfit | undefined)[] = packageFields.map((name, index) =>
    index < given.length ? named(text(given[index]), name) : `(not (present? "${name}"))`,
  )
  const tooMany = given.length - packageFields.length
  if (tooMany > 0) items.push(`(not (has-extra-elts? ${tooMany}))`)
  return items.some((each) => each !== undefined) ? { items } : undefined
}

function named(misfit: Misfit | undefined, name: string): Misfit | undefined {
  return misfit === undefined ? undefined : `(named ${misfitText(misfit)} "${name}")`
}

const timeShape = accepted('matches-some-precondition?', (value) => value !== null)
const shape = objectOf({
  required: {
    certname: text,
    values: accepted('map?', isExactObject),
    environment: nullable(text),
    producer_timestamp: timeShape,
    producer: nullable(text),
  },
  optional: { package_inventory: listOf(packageShape) },
})
