import type { CliCommand } from '../command/command.ts'
import { catalogBisect } from './bisect.ts'
import { catalogCheck } from './check.ts'
import { catalogCompile } from './compile.ts'
import { catalogDiff } from './diff.ts'
import { catalogExplain } from './explain.ts'
import { catalogDownload, catalogFind, catalogSelect } from './find.ts'
import { catalogInputsCommand } from './inputs.ts'
import { catalogVerify } from './verify.ts'

/** The command `plumb catalog`. */
export const catalogCommand: CliCommand = {
  name: 'catalog',
  summary: 'Compile, compare and print catalogs.',
  commands: [
    ...[catalogCompile, catalogCheck, catalogDiff, catalogExplain, catalogBisect, catalogInputsCommand],
    ...[catalogFind, catalogSelect, catalogDownload, catalogVerify],
  ],
}
