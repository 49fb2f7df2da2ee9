import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type {
  AttributeItem,
  DataTypeItem,
  DocItem,
  Docstring,
  DocTag,
  FunctionItem,
  FunctionSignature,
  ManifestItem,
  ModuleDocs,
  ProviderItem,
  ResourceTypeItem,
  TaskItem,
  TypeAliasItem,
} from './model.ts'

/** Formats the documentation of a module as JSON, in the form of `puppet strings generate --format json`. */
export function formatJson(docs: ModuleDocs): string {
  const document = {
    puppet_classes: docs.classes.map(toManifestJson),
    data_types: docs.dataTypes.map(toDataTypeJson),
    data_type_aliases: docs.typeAliases.map(toAliasJson),
    defined_types: docs.definedTypes.map(toManifestJson),
    resource_types: docs.resourceTypes.map(toTypeJson),
    providers: docs.providers.map(toProviderJson),
    puppet_functions: docs.functions.map(toFunctionJson),
    puppet_tasks: docs.tasks.map(toTaskJson),
    puppet_plans: docs.plans.map(toManifestJson),
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function toPlaceJson({ name, file, line }: DocItem) {
  return { name, file, line }
}

function toManifestJson(item: ManifestItem) {
  return {
    ...toPlaceJson(item),
    inherits: item.parent,
    docstring: toDocstringJson(item.docstring),
    defaults: toHashJson(item.defaults),
    source: item.source === '' ? undefined : item.source,
  }
}

function toAliasJson(item: TypeAliasItem) {
  return { ...toPlaceJson(item), docstring: toDocstringJson(item.docstring), alias_of: item.aliasOf }
}

function toDataTypeJson(item: DataTypeItem) {
  return {
    ...toPlaceJson(item),
    docstring: toDocstringJson(item.docstring),
    defaults: toHashJson(item.defaults),
    functions: item.functions.map(({ name, signature, docstring }) => ({
      name,
      signature,
      docstring: toDocstringJson(docstring),
    })),
  }
}

function toFunctionJson(item: FunctionItem) {
  return {
    ...toPlaceJson(item),
    type: item.api,
    signatures: item.signatures.map(({ signature, docstring }) => ({
      signature,
      docstring: toDocstringJson(docstring, signatureTags),
    })),
    docstring: toDocstringJson(item.docstring),
    defaults: toHashJson(item.defaults),
    source: item.source === '' ? undefined : item.source,
  }
}

const signatureTags = new Set(['param', 'option', 'enum', 'return', 'example'])

function toTypeJson(item: ResourceTypeItem) {
  return {
    ...toPlaceJson(item),
    docstring: toDocstringJson(item.docstring),
    properties: toListJson(item.properties.map(toAttributeJson)),
    parameters: toListJson(item.parameters.map(toAttributeJson)),
    checks: toListJson(item.checks.map(toAttributeJson)),
    features: toListJson(
      item.features.map(({ name, description }) => ({
        name,
        description: description === '' ? undefined : description,
      })),
    ),
    providers: toListJson(item.providers.map(toProviderJson)),
  }
}

function toAttributeJson(item: AttributeItem) {
  return {
    name: item.name,
    description: item.description === '' ? undefined : item.description,
    values: toListJson(item.values),
    data_type: item.dataType,
    aliases: toHashJson(item.aliases),
    isnamevar: item.isNamevar ? true : undefined,
    required_features: item.requiredFeatures,
    default: item.default === false ? undefined : item.default,
  }
}

function toProviderJson(item: ProviderItem) {
  return {
    name: item.name,
    type_name: item.typeName,
    file: item.file,
    line: item.line,
    docstring: toDocstringJson(item.docstring),
    confines: toHashJson(item.confines),
    features: toListJson(item.features),
    defaults: toListJson(item.defaults),
    commands: toHashJson(item.commands),
  }
}

function toTaskJson(item: TaskItem) {
  const tags = item.parameters.map(({ name, description, type }) => ({
    name,
    tag_name: 'param',
    text: description ?? '',
    types: [type ?? null],
  }))
  return {
    ...toPlaceJson(item),
    docstring: { text: item.docstring.text, tags },
    source: item.source,
    supports_noop: item.supportsNoop,
    input_method: item.inputMethod,
  }
}

function toDocstringJson({ text, tags }: Docstring, selected?: ReadonlySet<string>): object {
  const shown = tags
    .filter((tag) => selected?.has(tag.tag) ?? true)
    .filter(({ tag, text: value }) => tag !== 'api' || value !== 'public')
    .toSorted((a, b) => compareCodeUnits(a.tag, b.tag))
  return { text, tags: toListJson(shown.map(toTagJson)) }
}

function toTagJson({ tag, text, types, name, entry, overload }: DocTag): object {
  if (overload && text === undefined) return toOverloadJson(overload, name)
  const described = entry && {
    opt_name: entry.name ?? null,
    opt_text: entry.text ?? null,
    opt_types: entry.types,
    parent: name ?? null,
  }
  return { tag_name: tag, ...described, text: overload ? undefined : text, types, name }
}

function toOverloadJson({ signature, docstring, defaults }: FunctionSignature, name: string | undefined): object {
  return {
    tag_name: 'overload',
    signature,
    docstring: toDocstringJson(docstring),
    defaults: toHashJson(defaults),
    name,
  }
}

function toListJson<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items
}

/** A default value of a data type as JSON. */
function toPlainJson(value: unknown): unknown {
  if (value instanceof Map) return toHashJson(value) ?? {}
  if (typeof value === 'bigint') return Number(value)
  return Array.isArray(value) ? value.map(toPlainJson) : (value ?? null)
}

/** A hash as JSON, in its order; undefined if it is empty. */
function toHashJson(map: ReadonlyMap<string, unknown>): object | undefined {
  return map.size === 0 ? undefined : Object.fromEntries([...map].map(([key, value]) => [key, toPlainJson(value)]))
}
