/** A tag of a documentation comment, such as `@param name Text`. */
export interface DocTag {
  /** The word after `@`. */
  readonly tag: string
  readonly text?: string | undefined
  readonly types?: readonly string[] | undefined
  /** The parameter, the title of an example, or the reference of a `@see`. */
  readonly name?: string | undefined
  /** The value that an `@option` or `@enum` describes; `name` is the parameter. */
  readonly entry?: Pick<DocTag, 'name' | 'text' | 'types'> | undefined
  /** The signature that an `@overload` describes. */
  readonly overload?: FunctionSignature | undefined
}

/** A documentation comment. */
export interface Docstring {
  /** The text before the first tag. */
  readonly text: string
  readonly tags: readonly DocTag[]
}

/** The place of a definition. */
export interface ItemPlace {
  /** Path from the root of the module. */
  readonly file: string
  readonly line: number
}

/** A documented item of a module. */
export interface DocItem extends ItemPlace {
  readonly name: string
  readonly docstring: Docstring
}

/** A parameter in a manifest. */
export interface ParameterPlace {
  readonly name: string
  readonly line: number
}

/** Default values of parameters as code, by name. */
export type Defaults = ReadonlyMap<string, string>

/** A class, a defined type or a plan. */
export interface ManifestItem extends DocItem {
  readonly kind: 'class' | 'defined type' | 'plan'
  readonly parent: string | undefined
  readonly parameters: readonly ParameterPlace[]
  readonly defaults: Defaults
  readonly source: string
}

/** One way to call a function. */
export interface FunctionSignature {
  /** The call as code, such as `max(Numeric *$values)`. */
  readonly signature: string
  readonly docstring: Docstring
  readonly defaults: Defaults
}

/** A function. */
export interface FunctionItem extends DocItem {
  readonly kind: 'function'
  readonly api: 'puppet' | 'ruby3x' | 'ruby4x'
  /** Empty for a function written in Ruby. */
  readonly parameters: readonly ParameterPlace[]
  readonly signatures: readonly FunctionSignature[]
  readonly defaults: Defaults
  readonly source: string
}

/** A type alias. */
export interface TypeAliasItem extends DocItem {
  readonly kind: 'type alias'
  readonly aliasOf: string
}

/** A data type written in Ruby. */
export interface DataTypeItem extends DocItem {
  readonly kind: 'data type'
  readonly defaults: ReadonlyMap<string, unknown>
  readonly functions: readonly DataTypeFunction[]
}

/** A function of a data type. */
export interface DataTypeFunction {
  readonly name: string
  /** The signature as Ruby code; undefined if it is not documented. */
  readonly signature: string | undefined
  readonly docstring: Docstring
}

/** A parameter, property or check of a resource type. */
export interface AttributeItem {
  readonly name: string
  /** Undefined for an attribute that the code does not define: that of a directive, and `provider`. */
  readonly line: number | undefined
  readonly description: string
  readonly values: readonly string[]
  readonly dataType: string | undefined
  readonly aliases: ReadonlyMap<string, string>
  readonly isNamevar: boolean
  readonly requiredFeatures: string | undefined
  readonly default: string | number | boolean | undefined
}

/** A feature of a resource type. */
export interface FeatureItem {
  readonly name: string
  readonly description: string
}

/** A resource type. */
export interface ResourceTypeItem extends DocItem {
  readonly kind: 'resource type'
  readonly properties: readonly AttributeItem[]
  readonly parameters: readonly AttributeItem[]
  readonly checks: readonly AttributeItem[]
  readonly features: readonly FeatureItem[]
  readonly providers: readonly ProviderItem[]
}

/** A provider of a resource type. */
export interface ProviderItem extends DocItem {
  readonly kind: 'provider'
  readonly typeName: string
  readonly confines: ReadonlyMap<string, string>
  readonly features: readonly string[]
  readonly defaults: readonly (readonly (readonly [fact: string, value: string])[])[]
  readonly commands: ReadonlyMap<string, string>
}

/** A task. */
export interface TaskItem extends DocItem {
  readonly kind: 'task'
  readonly parameters: readonly TaskParameter[]
  readonly source: string
  readonly supportsNoop: unknown
  readonly inputMethod: unknown
}

/** A parameter of a task. */
export interface TaskParameter {
  readonly name: string
  readonly description: string | undefined
  readonly type: string | undefined
}

/** All documented items of a module, each list by name. */
export interface ModuleDocs {
  readonly classes: readonly ManifestItem[]
  readonly definedTypes: readonly ManifestItem[]
  readonly plans: readonly ManifestItem[]
  readonly functions: readonly FunctionItem[]
  readonly typeAliases: readonly TypeAliasItem[]
  readonly dataTypes: readonly DataTypeItem[]
  readonly resourceTypes: readonly ResourceTypeItem[]
  readonly providers: readonly ProviderItem[]
  readonly tasks: readonly TaskItem[]
}
