// The bill of materials of a release in CycloneDX 1.6: Node, CRuby as WebAssembly and the npm packages in the executable.
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX'
import { createSerialNumber } from '#built/deploy/modules/bill-of-materials.js'
import { listNodes } from '../package/base-programs.js'
import { listLockedPackages } from './locked-packages.js'

/** @typedef {import('./locked-packages.js').LockedPackage} LockedPackage */

/**
 * Returns the bill of materials. The same commit gives the same bytes.
 * @param {{ version: string, commit: string, time: number }} release
 */
export function createReleaseBill({ version, commit, time }) {
  const { Bom, Component, Tool } = Models
  const packages = listLockedPackages()
  const identity = [commit, ...packages.map((each) => `${each.name} ${each.version}`)].join('\n')
  const program = new Component(Enums.ComponentType.Application, 'plumbline', {
    bomRef: `pkg:npm/plumbline@${version}`,
    version,
    purl: `pkg:npm/plumbline@${version}`,
  })
  program.licenses.add(new Models.SpdxLicense('Apache-2.0'))
  const bom = new Bom({ version: 1, serialNumber: createSerialNumber(identity) })
  bom.metadata.timestamp = new Date(time * 1000)
  bom.metadata.component = program
  bom.metadata.tools.tools.add(new Tool({ name: 'plumbline' }))
  for (const component of [...listNodes().map(createNodeComponent), ...packages.map(createPackageComponent)]) {
    bom.components.add(component)
    program.dependencies.add(component.bomRef)
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`
}

/** @param {LockedPackage} locked */
function createPackageComponent({ name, version, integrity, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const component = new Models.Component(Enums.ComponentType.Library, name, { bomRef: purl, version, purl })
  addDigest(component, integrity)
  if (isSupportedSpdxId(license)) component.licenses.add(new Models.SpdxLicense(license))
  else if (license !== '') component.licenses.add(new Models.NamedLicense(license))
  return component
}

/** @param {{ target: string, version: string, sha512: string }} node */
function createNodeComponent({ target, version, sha512 }) {
  const purl = `pkg:npm/node-${target}@${version}`
  const component = new Models.Component(Enums.ComponentType.Platform, `node-${target}`, {
    bomRef: purl,
    version,
    purl,
  })
  addDigest(component, `sha512-${sha512}`)
  component.licenses.add(new Models.SpdxLicense('MIT'))
  return component
}

/** @param {Models.Component} component @param {string} integrity a digest in the form of npm */
function addDigest(component, integrity) {
  const [algorithm, digest] = integrity.split('-')
  if (algorithm === 'sha512' && digest !== undefined)
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'))
}
