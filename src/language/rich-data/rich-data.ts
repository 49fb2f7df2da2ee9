/** Values as they travel in catalogs, both ways. */
export { fromRichData } from './read.ts'
export { type RichDataOptions, referenceText, toRichData } from './write.ts'
