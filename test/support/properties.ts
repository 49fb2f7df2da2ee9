import * as fc from 'fast-check'
import { seed } from './nightly.ts'

// A property that fails prints its seed.
fc.configureGlobal({ seed })

export { fc }
