/** Values as they travel in catalogs, both ways. */
export { fromRichData } from './read-rich-data.ts'
export { type RichDataOptions, referenceText, toRichData } from './write-rich-data.ts'
