import type { Type } from '../../values/type.ts'

/** Parent of each Pcore type (a type of types), without the prefix `Pcore::`. Puppet: types/types.rb. */
export const pcoreParents: Readonly<Record<string, string | undefined>> = {
  AnyType: undefined,
  ...mapToParent('AnyType', [
    ...['AbstractTimeDataType', 'BinaryType', 'CallableType', 'CatalogEntryType', 'CollectionType', 'DefaultType'],
    ...['InitType', 'IterableType', 'IteratorType', 'NotUndefType', 'ObjectType', 'OptionalType', 'RuntimeType'],
    ...['ScalarType', 'SemVerRangeType', 'SensitiveType', 'StructType', 'TupleType', 'TypeAliasType'],
    ...['TypeReferenceType', 'TypeSetType', 'TypeType', 'URIType', 'UndefType', 'UnitType', 'VariantType'],
  ]),
  ...mapToParent('CatalogEntryType', ['ClassType', 'ResourceType']),
  ...mapToParent('CollectionType', ['ArrayType', 'HashType']),
  ...mapToParent('ScalarType', ['RegexpType', 'ScalarDataType', 'SemVerType', 'TimespanType', 'TimestampType']),
  ...mapToParent('ScalarDataType', ['BooleanType', 'EnumType', 'NumericType', 'PatternType', 'StringType']),
  ...mapToParent('NumericType', ['FloatType', 'IntegerType']),
}

function mapToParent(parent: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, parent]))
}

/** True if a type is an instance of the named Pcore type: `Integer` is a `Pcore::NumericType`. */
export function isPcoreInstance(name: string | undefined, { kind }: Type): boolean {
  for (let own: string | undefined = `${kind}Type`; own !== undefined; own = pcoreParents[own])
    if (name === `Pcore::${own}`) return true
  return false
}
