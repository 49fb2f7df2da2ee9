import { type ExactJson, type ExactObject, memberOf } from '../../../base/json/exact-json.ts'
import type { CatalogInputs, Deactivation, Expiration, Timestamp } from '../command.ts'
import { listIn, looseTimeShape, textIn, timeIn, uuidIn } from './fields.ts'
import { issues } from './issues.ts'
import { boolean, listOf, nullable, objectOf, type Shape, shaped, text } from './shape.ts'

/**
 * Parses the deactivation of a node. In version 2, the payload is the certname; in version 1,
 * the certname encoded as JSON twice.
 */
export function readDeactivation(payload: ExactJson, received: string): Deactivation {
  const wire = shaped(payload, deactivationShape, issues.COMMAND_SHAPE)
  return { certname: textIn(wire, 'certname')!, producer_timestamp: timeOr(received, wire) }
}

/** Parses the setting that turns the expiration of a node's facts on or off. */
export function readExpiration(payload: ExactJson, received: string): Expiration {
  const wire = shaped(payload, expirationShape, issues.COMMAND_SHAPE)
  const facts = memberOf(memberOf(wire, 'expire'), 'facts') as boolean
  return { certname: textIn(wire, 'certname')!, producer_timestamp: timeOr(received, wire), expire: { facts } }
}

/** Parses the inputs of a catalog. PuppetDB checks the inputs only when it stores them. */
export function readInputs(payload: ExactJson, received: string): CatalogInputs {
  const wire = shaped(payload, inputsShape, issues.COMMAND_SHAPE)
  return {
    certname: textIn(wire, 'certname')!,
    catalog_uuid: uuidIn(wire, 'catalog_uuid')!,
    producer_timestamp: timeOr(received, wire),
    inputs: listIn<readonly string[]>(wire, 'inputs') as unknown as CatalogInputs['inputs'],
  }
}

function timeOr(received: Timestamp, wire: ExactObject): Timestamp {
  return (memberOf(wire, 'producer_timestamp') ?? null) === null ? received : timeIn(wire, 'producer_timestamp')
}

const optional = { producer_timestamp: nullable(looseTimeShape) }
const deactivationShape = objectOf({ required: { certname: text }, optional })
const expirationShape = objectOf({
  required: { certname: text, expire: objectOf({ required: { facts: boolean } }) },
  optional,
})

/** An input: a type and a name. */
const pair: Shape = (value) =>
  Array.isArray(value) && value.length === 2 ? listOf(text)(value) : '(not (pair? an-input))'

const inputsShape = objectOf({ required: { certname: text, catalog_uuid: text, inputs: listOf(pair) }, optional })
