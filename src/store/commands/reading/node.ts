import { type ExactJson, type ExactObject, getMember } from '../../../base/json/exact-json.ts'
import type { CatalogInputs, Deactivation, FactsExpiration, WireTimestamp } from '../command.ts'
import { looseTimeShape, readListField, readTextField, readTimeField, readUuidField } from './fields.ts'
import { storeCommandIssues } from './issues.ts'
import {
  allowNull,
  booleanShape,
  checkShape,
  createListShape,
  createObjectShape,
  type Shape,
  textShape,
} from './shape.ts'

/**
 * Parses the deactivation of a node. In version 2, the payload is the certname; in version 1,
 * the certname encoded as JSON twice.
 */
export function readDeactivation(payload: ExactJson, received: string): Deactivation {
  const wire = checkShape(payload, deactivationShape, storeCommandIssues.COMMAND_SHAPE)
  return { certname: readTextField(wire, 'certname')!, producer_timestamp: getProducerTime(received, wire) }
}

/** Parses the setting that turns the expiration of a node's facts on or off. */
export function readExpiration(payload: ExactJson, received: string): FactsExpiration {
  const wire = checkShape(payload, expirationShape, storeCommandIssues.COMMAND_SHAPE)
  const facts = getMember(getMember(wire, 'expire'), 'facts') as boolean
  return {
    certname: readTextField(wire, 'certname')!,
    producer_timestamp: getProducerTime(received, wire),
    expire: { facts },
  }
}

/** Parses the inputs of a catalog. PuppetDB checks the inputs only when it stores them. */
export function readCatalogInputs(payload: ExactJson, received: string): CatalogInputs {
  const wire = checkShape(payload, inputsShape, storeCommandIssues.COMMAND_SHAPE)
  return {
    certname: readTextField(wire, 'certname')!,
    catalog_uuid: readUuidField(wire, 'catalog_uuid')!,
    producer_timestamp: getProducerTime(received, wire),
    inputs: readListField<readonly string[]>(wire, 'inputs') as unknown as CatalogInputs['inputs'],
  }
}

function getProducerTime(received: WireTimestamp, wire: ExactObject): WireTimestamp {
  return (getMember(wire, 'producer_timestamp') ?? null) === null ? received : readTimeField(wire, 'producer_timestamp')
}

const optional = { producer_timestamp: allowNull(looseTimeShape) }
const deactivationShape = createObjectShape({ required: { certname: textShape }, optional })
const expirationShape = createObjectShape({
  required: { certname: textShape, expire: createObjectShape({ required: { facts: booleanShape } }) },
  optional,
})

/** Accepts an input of a catalog: a type and a name. */
const matchPair: Shape = (value) =>
  Array.isArray(value) && value.length === 2 ? createListShape(textShape)(value) : '(not (pair? an-input))'

const inputsShape = createObjectShape({
  required: { certname: textShape, catalog_uuid: textShape, inputs: createListShape(matchPair) },
  optional,
})
