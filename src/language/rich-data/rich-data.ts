/** Values as they travel in catalogs, both ways. */
export { fromRichData } from './read.ts'
export { isNotUtf8, type RichDataOptions, referenceText, toRichData } from './write.ts'
