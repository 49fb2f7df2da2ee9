import { catalogBisect } from './catalog-bisect.ts'
import { catalogCheck } from './catalog-check.ts'
import { catalogCompile } from './catalog-compile.ts'
import { catalogDiff } from './catalog-diff.ts'
import { catalogExplain } from './catalog-explain.ts'
import { catalogDownload, catalogFind, catalogSelect } from './catalog-find.ts'
import { catalogInputs } from './catalog-inputs.ts'
import { catalogVerify } from './catalog-verify.ts'
import type { Command } from './command.ts'

/** `plumb catalog` */
export const catalog: Command = {
  name: 'catalog',
  summary: 'Compile, compare and print catalogs.',
  commands: [
    ...[catalogCompile, catalogCheck, catalogDiff, catalogExplain, catalogBisect, catalogInputs],
    ...[catalogFind, catalogSelect, catalogDownload, catalogVerify],
  ],
}
