import { type ExactObject, getMember, isExactObject } from '../../../base/json/exact-json.ts'
import { formatValueName } from '../../clojure-text.ts'
import type { StoredFacts } from '../command.ts'
import { addDefaults, parseWireTime, readListField, readTextField, renameKeys, replaceMembers } from './fields.ts'
import { storeCommandIssues } from './issues.ts'
import {
  allowNull,
  checkShape,
  createListShape,
  createObjectShape,
  createPredicateShape,
  formatMisfit,
  type Misfit,
  type Shape,
  textShape,
} from './shape.ts'

/** Parses facts of versions 1 to 5. */
export function readFactsCommand(payload: ExactObject, version: number, received: string): StoredFacts {
  const facts = checkShape(
    normalizeFacts(upgradeFacts(payload, version, received)),
    shape,
    storeCommandIssues.COMMAND_FACTS_SHAPE,
  )
  const packages = readListField<readonly string[]>(facts, 'package_inventory')
  const distinct = [...new Map(packages.map((each) => [JSON.stringify(each), each])).values()]
  return {
    certname: readTextField(facts, 'certname')!,
    environment: readTextField(facts, 'environment'),
    producer_timestamp: readTextField(facts, 'producer_timestamp')!,
    producer: readTextField(facts, 'producer'),
    values: getMember(facts, 'values') as ExactObject,
    ...(getMember(facts, 'package_inventory') && { package_inventory: distinct as unknown as Packages }),
  }
}

type Packages = NonNullable<StoredFacts['package_inventory']>

const lastNames = new Map([
  ['name', 'certname'],
  ['producer-timestamp', 'producer_timestamp'],
])

/** Adds the fields that an older version does not have. PuppetDB: facts.clj, `wire-v2->wire-v5` and so on. */
function upgradeFacts(payload: ExactObject, version: number, received: string): ExactObject {
  let facts = payload
  if (version === 1 && getMember(facts, 'environment') === undefined)
    facts = replaceMembers(facts, { environment: null })
  if (version <= 2) facts = replaceMembers(facts, { 'producer-timestamp': received })
  if (version <= 3) facts = renameKeys(facts, (key) => lastNames.get(key) ?? key)
  return version <= 4 ? replaceMembers(facts, { producer: null }) : facts
}

/** Sets an invalid time and missing values to null before the structure is checked, as PuppetDB does. */
function normalizeFacts(facts: ExactObject): ExactObject {
  const time = parseWireTime(getMember(facts, 'producer_timestamp')) ?? null
  return replaceMembers(addDefaults(facts, { values: null }), { producer_timestamp: time })
}

const packageFields = ['package_name', 'version', 'provider']

/** Accepts the name, version and provider of a package: three strings. */
const matchPackage: Shape = (value) => {
  if (value !== null && !Array.isArray(value)) return `(not (sequential? ${formatValueName(value)}))`
  const given = value ?? []
  const items: (Misfit | undefined)[] = packageFields.map((name, index) =>
    index < given.length ? nameMisfit(textShape(given[index]), name) : `(not (present? "${name}"))`,
  )
  const tooMany = given.length - packageFields.length
  if (tooMany > 0) items.push(`(not (has-extra-elts? ${tooMany}))`)
  return items.some((each) => each !== undefined) ? { items } : undefined
}

function nameMisfit(misfit: Misfit | undefined, name: string): Misfit | undefined {
  return misfit === undefined ? undefined : `(named ${formatMisfit(misfit)} "${name}")`
}

const timeShape = createPredicateShape('matches-some-precondition?', (value) => value !== null)
const shape = createObjectShape({
  required: {
    certname: textShape,
    values: createPredicateShape('map?', isExactObject),
    environment: allowNull(textShape),
    producer_timestamp: timeShape,
    producer: allowNull(textShape),
  },
  optional: { package_inventory: createListShape(matchPackage) },
})
