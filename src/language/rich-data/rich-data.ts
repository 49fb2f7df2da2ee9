/** Conversion between values and the JSON of catalogs. */
export { readRichData } from './read.ts'
export { formatReference, isNotUtf8, type RichDataOptions, toRichData } from './write.ts'
