import { afterAll } from 'vitest'
import { removeScratchFolders } from './scratch-folder.ts'

// For each test file, also of a process that runs many and loads scratch-folder.ts once; last, for hooks go in reverse.
afterAll(removeScratchFolders)
