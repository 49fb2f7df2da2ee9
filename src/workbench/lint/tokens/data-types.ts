/** Data types that are tokens of the type TYPE. Others, such as Timestamp, are references, as in puppet-lint. */
// biome-ignore format: a list of names
export const dataTypes: ReadonlySet<string> = new Set([
  'Any', 'Array', 'Binary', 'Boolean', 'Callable', 'CatalogEntry', 'Class', 'Collection', 'Data', 'Default', 'Enum',
  'Error', 'Float', 'Hash', 'Integer', 'Iterable', 'Iterator', 'NotUndef', 'Numeric', 'Optional', 'Pattern', 'Regexp',
  'Resource', 'RichData', 'Runtime', 'Scalar', 'ScalarData', 'SemVer', 'SemVerRange', 'Sensitive', 'String', 'Struct',
  'Tuple', 'Type', 'Undef', 'Variant',
])
