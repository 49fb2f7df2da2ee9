import { textKind } from '../attribute-kinds.ts'
import { defineNamevar, defineType } from '../type.ts'

/** The resource type `anchor` of stdlib: anchors for relationships in a class. */
export const anchor = defineType('anchor', {
  doc: 'A simple resource type intended to be used as an anchor in a composite class.',
  providesItself: true,
  attributes: { name: defineNamevar(textKind, 'The name of the anchor resource.') },
})
