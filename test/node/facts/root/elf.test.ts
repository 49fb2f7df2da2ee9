import { expect, it } from 'vitest'
import { parseElfHardware } from '../../../../src/node/facts/root/elf.ts'
import { elfHeader } from './root-directory.ts'

// The machine numbers are those of elf.h, and the names those of `uname -m`.
it.each([
  [32, 'little', 3, 'i686'],
  [64, 'little', 62, 'x86_64'],
  [64, 'little', 183, 'aarch64'],
  [32, 'little', 40, 'armv7l'],
  [64, 'big', 21, 'ppc64'],
  [64, 'little', 21, 'ppc64le'],
  [32, 'big', 20, 'ppc'],
  [64, 'big', 22, 's390x'],
  [64, 'little', 243, 'riscv64'],
  [64, 'little', 258, 'loongarch64'],
  [32, 'big', 8, 'mips'],
  [32, 'little', 8, 'mipsel'],
  [64, 'little', 8, 'mips64el'],
  [32, 'little', 62, undefined],
  [64, 'little', 9999, undefined],
] as const)('a program of %s bits, %s-endian, for machine %s: %s', (bits, order, machine, hardware) => {
  expect(parseElfHardware(elfHeader(bits, order, machine))).toBe(hardware)
})

it('has no hardware for a script or a short file', () => {
  expect(parseElfHardware(Buffer.from('#!/bin/sh\necho twenty bytes'))).toBeUndefined()
  expect(parseElfHardware(elfHeader(64, 'little', 62).subarray(0, 19))).toBeUndefined()
})
