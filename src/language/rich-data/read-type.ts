import type { ExactJson } from '../../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject } from '../../base/json/json-checks.ts'
import { ANY, createStructType, UNIT } from '../types/constructors.ts'
import { makeTypeOfKind } from '../types/objects/type-construction.ts'
import { isType, type StructElement, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'

/** Reads a type such as `{"__ptype": "Pcore::IntegerType", …}`; `undefined` for an unknown kind. */
export function readType(
  json: Readonly<Record<string, ExactJson | undefined>>,
  read: (json: ExactJson | undefined) => Value,
): Type | undefined {
  const kind = /^Pcore::(\w+)Type$/.exec(String(json.__ptype))?.[1] ?? ''
  if (kind === 'Struct')
    return createStructType(checkJsonArray(json.elements, 'elements').map((each) => readElement(each, read)))
  if (kind === 'Unit') return UNIT
  return makeTypeOfKind(kind, (name) => read(json[name]))
}

function readElement(json: unknown, read: (json: ExactJson | undefined) => Value): StructElement {
  const fields = checkJsonObject(json, 'a Struct element')
  const key = read(fields.key_type as ExactJson)
  const value = read(fields.value_type as ExactJson)
  const optional = isType(key) && key.kind === 'Optional'
  const name = isType(key) ? (key.kind === 'Optional' ? key.type : key) : undefined
  return { name: name?.kind === 'String' ? (name.value ?? '') : '', optional, value: isType(value) ? value : ANY }
}
