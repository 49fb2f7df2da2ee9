import type { Files } from '../../machine/system/system.ts'
import { checkRoutes, type KnownTermini, parseRoutes, type Routes } from '../../model/indirector/routes.ts'
import { listTerminusNames } from '../../model/indirector/terminus.ts'
import { certificate, certificateRequest, certificateRevocationList } from '../termini/certificates/index.ts'
import { fileBucketFile } from '../termini/file-bucket-file/index.ts'
import { fileContent } from '../termini/file-content/index.ts'
import { fileMetadata } from '../termini/file-metadata/index.ts'
import type { PlugIns } from '../termini/plug-ins/plug-ins.ts'

/** Reads routes.yaml; a missing file means no routes. Throws INVALID_ROUTES. */
export async function readRoutesFile(file: string, files: Pick<Files, 'readText'>, plugIns: PlugIns): Promise<Routes> {
  const text = await files.readText(file)
  const routes = text === undefined ? {} : parseRoutes(text, file, 'server', 'master')
  checkRoutes(routes, file, listTermini(plugIns))
  return routes
}

/** Termini of Puppet indirections that the compiler implements itself. */
const withoutChoice: KnownTermini = { resource: ['ral', 'puppetdb'], data_binding: ['hiera'] }

function listTermini({ catalog, facts, node, report }: PlugIns): KnownTermini {
  const ofCertificates = [certificate, certificateRequest, certificateRevocationList]
  const choices = [catalog, facts, node, report, fileMetadata, fileContent, fileBucketFile, ...ofCertificates]
  return { ...Object.fromEntries(choices.map((each) => [each.name, listTerminusNames(each)])), ...withoutChoice }
}
