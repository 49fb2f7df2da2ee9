import { testDocument } from './support/document-walk.ts'

testDocument('docs/air-gap.md')
