import { createHash } from 'node:crypto'
import type { Edit } from './wasm-binary.ts'
import {
  add,
  all,
  body,
  type Code,
  call,
  callPointer,
  get,
  getGlobal,
  giveNothing,
  isEqual,
  isLess,
  isZero,
  load,
  loopWhile,
  number,
  set,
  setGlobal,
  store,
  subtract,
  when,
} from './wasm-code.ts'
import { WasmFunctions } from './wasm-functions.ts'

/**
 * Four faults of CRuby 3.4 on WebAssembly, mended in its binary; docs/ruby.md tells of them. The numbers below are those
 * of one binary: the order of its functions, the layout of CRuby's structures, the addresses of its variables. Nothing
 * where the binary is another one.
 */
export function mends(binary: Uint8Array): readonly Edit[] | undefined {
  const functions = new WasmFunctions(binary)
  const isOurs = Object.values(touched).every(([index, digest]) => digestOf(functions.body(index)) === digest)
  if (!isOurs) return undefined
  return functions.replace([
    [indexOf('fiber_free'), freeFiber],
    [indexOf('rb_execution_context_mark'), markContext],
    [indexOf('rb_wasm_scan_locals'), scanLocals],
    [indexOf('rb_wasm_handle_scan_unwind'), noteScanned],
    [indexOf('rb_wasm_try_catch_loop_run'), runAndCatch],
  ])
}

/** The digest of a function's code, by which a binary is told from another one. */
export function digestOf(code: Uint8Array): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16)
}

/** The functions that are called or changed here, or that show the layouts below. */
export const touched = {
  fiber_free: [3036, '955cf9abdf95ca7b'],
  fiber_setcontext: [3038, '818dd6bf7085beb0'],
  ruby_xfree: [4016, '8fc76c0f3281d2fa'],
  rb_gc_mark_locations: [4054, 'dbb89144f9e01076'],
  rb_gc_mark_roots: [4071, '40819eaf10162d30'],
  rb_vm_exec: [8423, '0d321335118f179c'],
  rb_execution_context_mark: [8695, 'd6764be780801145'],
  rb_wasm_swapcontext: [9764, 'aea7f3d893eec047'],
  rb_wasm_scan_locals: [9766, '7d11c0f96a2ecfef'],
  rb_wasm_handle_scan_unwind: [9769, '5ebd4dfe733790ff'],
  _rb_wasm_setjmp_internal: [9770, 'f103a2188a57422d'],
  _rb_wasm_longjmp: [9771, '570994b3a71329ff'],
  rb_wasm_try_catch_loop_run: [9773, 'cd4bd3c55434c3ec'],
  rb_wasm_handle_jmp_unwind: [9774, '49d71725205aa010'],
  malloc: [17_289, '3e9bd59b3d013ebe'],
  asyncify_start_unwind: [17_879, 'daaf83171932b454'],
  asyncify_stop_rewind: [17_882, '8fc2e62b0b5c2ff4'],
} as const satisfies Readonly<Record<string, readonly [index: number, digest: string]>>

function indexOf(name: keyof typeof touched): number {
  return touched[name][0]
}

const globals = { stackPointer: 0, state: 1 } as const

/** Values of the global `state`: while unwinding, only code that saves or restores a function's local variables runs. */
const states = { running: 0, unwinding: 1 } as const

/** Addresses of CRuby's variables. */
const variables = {
  machine: 21_129_332,
  context: 21_129_336,
  scan: 21_130_644,
  isScanning: 21_155_228,
  activeScan: 21_155_232,
  jump: 21_155_240,
  unwound: 21_155_244,
} as const

/** Offsets in `rb_vm_t`: the function that is told of references in the place of the collector. */
const machine = { markFunction: 556 } as const

/** Offsets in `rb_execution_context_t`: the innermost tag, and the fiber that the context is part of. */
const context = { tag: 12, fiber: 24 } as const

/** Offsets in `rb_fiber_t`: its context, the end of what its functions left, and the beginning. */
const fiber = { context: 44, leftEnd: 49_364, left: 49_372 } as const

/** Offsets in `struct rb_vm_tag`, a place that exceptions go to: its jump buffer, and the next tag further out. */
const tag = { jump: 8, outer: 12 } as const

/** Offsets in `rb_wasm_jmp_buf`: what functions left for a jump to find again, the end of it, and the state. */
const jump = { left: 8, leftEnd: 24_588, state: 24_596 } as const
const jumpStates = { captured: 2, returning: 3 } as const
const mostLeft = 24_576

/** Offsets in `struct rb_wasm_try_catch`: two functions, the value that both are given, and which of them is to run. */
const trial = { work: 0, rescue: 4, argument: 8, phase: 12 } as const
const phases = { work: 0, rescue: 1 } as const

/**
 * Offsets in the buffer for what the functions that run hold, of which the collector looks at all: where the next is
 * written, and where there is no more room. Behind them were 24 KiB, of which two words now say where the room is, and
 * where what was written last ends.
 */
const scan = { top: 0, end: 4, room: 8, written: 12, ownRoom: 16 } as const
const scanRoom = 1024 * 1024

/** Types of functions that take one value or two, and give none. */
const [takesOne, takesTwo] = [4, 6] as const

/**
 * Marks an execution context, and what functions hold in local variables that are kept aside: those of a fiber that was
 * left, and those that a jump to a tag brings back. Only the collector does; who looks at references of objects may
 * collect garbage meanwhile, and this function cannot be left in the middle.
 */
function markContext(original: number): Code {
  const [ofContext, ofFiber, ofTag, ofJump] = [get(0), get(1), get(1), get(2)]
  const mark = (start: Code, end: Code): Code => call(indexOf('rb_gc_mark_locations'), start, end)
  const isCollecting = isZero(load(load(number(variables.machine)), machine.markFunction))
  const start = add(ofJump, number(jump.left))
  return body(
    2,
    when(
      all(isEqual(getGlobal(globals.state), number(states.running)), isCollecting),
      set(1, load(ofContext, context.fiber)),
      when(
        isEqual(add(ofFiber, number(fiber.context)), ofContext),
        mark(add(ofFiber, number(fiber.left)), load(ofFiber, fiber.leftEnd)),
        set(1, load(ofContext, context.tag)),
        loopWhile(
          ofTag,
          set(2, load(ofTag, tag.jump)),
          when(
            all(
              isEqual(load(ofJump, jump.state), number(jumpStates.captured)),
              isLess(subtract(load(ofJump, jump.leftEnd), start), number(mostLeft + 1)),
            ),
            mark(start, load(ofJump, jump.leftEnd)),
          ),
          set(1, load(ofTag, tag.outer)),
        ),
      ),
    ),
    call(original, ofContext),
  )
}

/**
 * Hands what all functions that run hold in local variables to another function: writes it down by leaving all of them,
 * and enters them again. In the original there is room for some seventy blocks within each other, beyond which the
 * interpreter ends; here it is as large as stacks are.
 */
function scanLocals(): Code {
  const [scanned, start] = [get(0), get(1)]
  const buffer = number(variables.scan)
  const ownEnd = number(variables.isScanning)
  return body(
    1,
    when(
      isZero(load(number(variables.isScanning))),
      when(isZero(load(buffer, scan.room)), store(buffer, scan.room, call(indexOf('malloc'), number(scanRoom)))),
      set(1, load(buffer, scan.room)),
      store(buffer, scan.end, add(start, number(scanRoom))),
      when(isZero(start), set(1, add(buffer, number(scan.ownRoom))), store(buffer, scan.end, ownEnd)),
      store(buffer, scan.top, start),
      store(number(variables.isScanning), 0, number(1)),
      store(number(variables.activeScan), 0, buffer),
      store(number(variables.unwound), 0, buffer),
      call(indexOf('asyncify_start_unwind'), buffer),
      giveNothing,
    ),
    call(indexOf('asyncify_stop_rewind')),
    store(number(variables.activeScan), 0, number(0)),
    store(number(variables.isScanning), 0, number(0)),
    callPointer(takesTwo, scanned, load(buffer, scan.top), load(buffer, scan.written)),
  )
}

/** Gives the buffer of a scan that has left all functions; notes how much was written. */
function noteScanned(): Code {
  const buffer = load(number(variables.activeScan))
  return body(0, when(buffer, store(buffer, scan.written, load(buffer, scan.top))), buffer)
}

/** Frees a fiber, and the jump buffers of one that was left in the middle for good. */
function freeFiber(original: number): Code {
  const [ofFiber, ofTag, ofJump] = [get(0), get(1), get(2)]
  return body(
    2,
    set(1, load(ofFiber, fiber.context + context.tag)),
    loopWhile(
      ofTag,
      set(2, load(ofTag, tag.jump)),
      set(1, load(ofTag, tag.outer)),
      call(indexOf('ruby_xfree'), ofJump),
    ),
    call(original, ofFiber),
  )
}

/**
 * Runs Ruby code, and goes on with its `rescue` each time that a jump goes to it, as the original does. The stack pointer
 * is then again what it was: it is kept in the jump buffer, in a place that nothing else needs of this one, since fibers
 * leave the function in the middle, and enter it anew. Frees the jump buffer where a jump goes further out.
 */
function runAndCatch(): Code {
  const [ofTrial, ofJump, work, target] = [get(0), get(1), get(2), get(2)]
  const isUnwinding = isEqual(getGlobal(globals.state), number(states.unwinding))
  const run = when(work, callPointer(takesOne, work, load(ofTrial, trial.argument)))
  const isPhase = (phase: number): Code => isEqual(load(ofTrial, trial.phase), number(phase))
  const frameOfTarget = load(load(number(variables.context)), context.tag)
  return body(
    1,
    when(
      isEqual(getGlobal(globals.state), number(states.running)),
      store(ofJump, jump.leftEnd, getGlobal(globals.stackPointer)),
    ),
    store(ofJump, jump.state, number(jumpStates.captured)),
    when(isPhase(phases.work), set(2, load(ofTrial, trial.work))),
    when(isPhase(phases.rescue), set(2, load(ofTrial, trial.rescue))),
    run,
    loopWhile(
      all(isUnwinding, isEqual(load(number(variables.jump)), ofJump)),
      call(indexOf('asyncify_stop_rewind')),
      setGlobal(globals.stackPointer, load(ofJump, jump.leftEnd)),
      store(ofJump, jump.state, number(jumpStates.captured)),
      store(ofTrial, trial.phase, number(phases.rescue)),
      store(number(variables.jump), 0, number(0)),
      set(2, load(ofTrial, trial.rescue)),
      run,
    ),
    when(
      isUnwinding,
      set(2, load(number(variables.jump))),
      when(
        target,
        when(
          all(isEqual(load(target, jump.state), number(jumpStates.returning)), isLess(ofTrial, frameOfTarget)),
          call(indexOf('ruby_xfree'), ofJump),
        ),
      ),
    ),
  )
}
