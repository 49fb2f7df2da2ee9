import { textKind } from '../attribute-kinds.ts'
import { defineNamevar, defineType } from '../type.ts'

/** The resource type `stage`: all classes of a stage are applied before those of the next. */
export const stage = defineType('stage', {
  doc: 'A resource type for creating new run stages.',
  passive: true,
  attributes: { name: defineNamevar(textKind, 'The name of the stage.') },
})
