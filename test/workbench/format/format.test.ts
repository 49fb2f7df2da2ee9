import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatManifest } from '../../../src/workbench/format/format.ts'

const folder = join(import.meta.dirname, 'cases')
