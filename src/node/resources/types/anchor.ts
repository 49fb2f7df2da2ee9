import { text } from '../kind.ts'
import { defineType, namevar } from '../type.ts'

/** Places in the order of a class, to hang others on: stdlib's. */
export const anchor = defineType('anchor', {
  doc: 'A simple resource type intended to be used as an anchor in a composite class.',
  providesItself: true,
  attributes: { name: namevar(text, 'The name of the anchor resource.') },
})
