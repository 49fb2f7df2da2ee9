import type { Patch, RubyBinary } from './ruby-binary.ts'
import {
  type Code,
  emitAdd,
  emitCallIndirect,
  emitConst,
  emitFunctionBody,
  emitIf,
  emitIsZero,
  emitLoad,
  emitLocalGet,
  emitLocalSet,
  emitReturn,
  emitStore,
} from './wasm-code.ts'

/** Gives the collector space for the local variables of all running functions. */
export const scanBuffer: Patch = {
  name: 'scan-buffer',
  purpose: 'The garbage collector runs below more than seventy nested blocks.',
  replacements(ruby) {
    ruby.expectCode('rb_wasm_handle_scan_unwind', ruby.variable('_rb_wasm_active_scan_buf'))
    ruby.expectCode('rb_wasm_scan_locals', ruby.setVariable('rb_asyncify_unwind_buf', ruby.address(ownBuffer)))
    return [
      [ruby.function('rb_wasm_scan_locals'), () => emitScanLocals(ruby)],
      [ruby.function('rb_wasm_handle_scan_unwind'), () => emitScanEnd(ruby)],
    ]
  },
}

/** CRuby's own buffer, of 24 KiB. */
const ownBuffer = 'rb_wasm_scan_locals.buf'

/**
 * Offsets in CRuby's buffer. Asyncify uses the first two fields: the address of the next write, and the end of the
 * buffer. We store the other fields in the 24 KiB after them: the address of the larger buffer, the end of the last
 * scan's data, a flag for a running scan, and a small buffer for use if the larger one cannot be allocated.
 */
const offsets = { top: 0, end: 4, room: 8, written: 12, isScanning: 16, ownRoom: 20 } as const
/** Size of the larger buffer in bytes; more than the local variables of all functions on a thread's stack. */
const roomBytes = 1024 * 1024

/**
 * Calls `scan` with the local variables of all running functions: unwinds the stack, which writes the variables to the
 * buffer, and rewinds it.
 */
function emitScanLocals(ruby: RubyBinary): Code {
  const [scan, start] = [emitLocalGet(0), emitLocalGet(1)]
  const buffer = ruby.address(ownBuffer)
  const ownEnd = emitAdd(buffer, emitConst(ruby.size('asyncify_buf')))
  return emitFunctionBody(
    1,
    emitIf(
      emitIsZero(emitLoad(buffer, offsets.isScanning)),
      emitIf(
        emitIsZero(emitLoad(buffer, offsets.room)),
        emitStore(buffer, offsets.room, ruby.call('malloc', emitConst(roomBytes))),
      ),
      emitLocalSet(1, emitLoad(buffer, offsets.room)),
      emitStore(buffer, offsets.end, emitAdd(start, emitConst(roomBytes))),
      emitIf(
        emitIsZero(start),
        emitLocalSet(1, emitAdd(buffer, emitConst(offsets.ownRoom))),
        emitStore(buffer, offsets.end, ownEnd),
      ),
      emitStore(buffer, offsets.top, start),
      emitStore(buffer, offsets.isScanning, emitConst(1)),
      ruby.setVariable('_rb_wasm_active_scan_buf', buffer),
      ruby.setVariable('rb_asyncify_unwind_buf', buffer),
      ruby.call('asyncify_start_unwind', buffer),
      emitReturn,
    ),
    ruby.call('asyncify_stop_rewind'),
    ruby.setVariable('_rb_wasm_active_scan_buf', emitConst(0)),
    emitStore(buffer, offsets.isScanning, emitConst(0)),
    emitCallIndirect(
      ruby.type('rb_gc_mark_locations'),
      scan,
      emitLoad(buffer, offsets.top),
      emitLoad(buffer, offsets.written),
    ),
  )
}

/** Called when a scan has unwound the stack: records the end of the variables, and returns the scan's buffer. */
function emitScanEnd(ruby: RubyBinary): Code {
  const buffer = ruby.variable('_rb_wasm_active_scan_buf')
  return emitFunctionBody(0, emitIf(buffer, emitStore(buffer, offsets.written, emitLoad(buffer, offsets.top))), buffer)
}
