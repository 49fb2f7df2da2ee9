/** Conversion between values and the JSON of catalogs. */
export { fromRichData } from './read.ts'
export { isNotUtf8, type RichDataOptions, referenceText, toRichData } from './write.ts'
