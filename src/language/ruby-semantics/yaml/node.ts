/** A node of a YAML document; scalars are still text. */
export type YamlNode =
  | { readonly kind: 'alias'; readonly name: string }
  | (Properties & { readonly kind: 'scalar'; readonly value: string; readonly quoted: boolean })
  | (Properties & { readonly kind: 'sequence'; readonly items: readonly YamlNode[] })
  | (Properties & { readonly kind: 'mapping'; readonly pairs: readonly (readonly [key: YamlNode, value: YamlNode])[] })

interface Properties {
  readonly anchor: string | undefined
  /** Tag with its handle resolved: `tag:yaml.org,2002:str`. */
  readonly tag: string | undefined
}
