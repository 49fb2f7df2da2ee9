import { testDocument } from './support/document-walk.ts'

testDocument('docs/rollouts.md')
