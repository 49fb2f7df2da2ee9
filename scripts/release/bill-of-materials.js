// The bill of materials of a release in CycloneDX 1.6: Node, CRuby as WebAssembly and the npm packages in the executable.
import { hash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX'
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
  const program = new Component(Enums.ComponentType.Application, 'plumbline', {
    bomRef: `pkg:npm/plumbline@${version}`,
    version,
    purl: `pkg:npm/plumbline@${version}`,
  })
  program.licenses.add(new Models.SpdxLicense('Apache-2.0'))
  const bom = new Bom({ version: 1, serialNumber: computeSerialNumber(commit, packages) })
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

/**
 * Returns a UUID of version 8 (RFC 9562: custom) of the commit and the packages.
 * @param {string} commit
 * @param {readonly LockedPackage[]} packages
 */
function computeSerialNumber(commit, packages) {
  const listed = packages.map(({ name, version }) => `${name} ${version}`)
  const digest = hash('sha256', [commit, ...listed].join('\n'), 'hex')
  const variant = ((Number.parseInt(digest[16] ?? '0', 16) & 3) | 8).toString(16)
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, variant + digest.slice(17, 20)]
  return `urn:uuid:${[...parts, digest.slice(20, 32)].join('-')}`
}
