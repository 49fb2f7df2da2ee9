import { asyncifyStates, type Patch, type RubyBinary } from './ruby-binary.ts'
import { emitCapturedState } from './suspended-frames.ts'
import {
  type Code,
  emitAll,
  emitCallIndirect,
  emitConst,
  emitEqual,
  emitFunctionBody,
  emitIf,
  emitIsLess,
  emitLoad,
  emitLocalGet,
  emitLocalSet,
  emitStore,
  emitWhile,
} from './wasm-code.ts'

/** Restores the stack pointer after a jump, and frees the buffers of skipped jump targets. */
export const catchLoop: Patch = {
  name: 'catch-loop',
  purpose: 'Exceptions, `throw` and `break` use up neither the stack nor memory.',
  /**
   * CRuby 4.0 restores the stack pointer from this member and frees the buffers (ruby/ruby#12995,
   * ruby/ruby#13142).
   */
  isFixed: (ruby) => ruby.hasMember('rb_wasm_try_catch.stack_pointer'),
  replacements(ruby) {
    if (ruby.hasFunction('rb_vm_tag_jmpbuf_deinit'))
      throw new Error('CRuby frees jump buffers in a function of its own')
    ruby.expectCode('rb_wasm_try_catch_loop_run', emitCapturedState(ruby))
    ruby.expectCode('rb_wasm_try_catch_loop_run', ruby.variable('_rb_wasm_active_jmpbuf'))
    ruby.expectCode('rb_wasm_try_catch_loop_run', ruby.call('asyncify_stop_rewind'))
    return [[ruby.function('rb_wasm_try_catch_loop_run'), () => emitCatchLoop(ruby)]]
  },
}

/**
 * Runs Ruby code, and continues with its `rescue` after each jump to it, like the original
 * function. The stack pointer is stored in a member of the jump buffer that this kind of target
 * does not use, since fibers leave and re-enter the function. Frees the jump buffer if a jump goes
 * further out.
 */
function emitCatchLoop(ruby: RubyBinary): Code {
  const [trial, jump, work, target] = [emitLocalGet(0), emitLocalGet(1), emitLocalGet(2), emitLocalGet(2)]
  const state = ruby.offset('rb_wasm_jmp_buf.state')
  const keptPointer = ruby.offset('rb_wasm_jmp_buf.dst_buf_top')
  const phase = ruby.offset('rb_wasm_try_catch.state')
  const captured = ruby.constant('JMP_BUF_STATE_CAPTURED')
  const rescue = ruby.constant('TRY_CATCH_PHASE_RESCUE')
  const [workMember, rescueMember] = [ruby.offset('rb_wasm_try_catch.try_f'), ruby.offset('rb_wasm_try_catch.catch_f')]
  const activeJump = ruby.variable('_rb_wasm_active_jmpbuf')
  const isUnwinding = emitEqual(ruby.asyncifyState, emitConst(asyncifyStates.unwinding))
  const argument = emitLoad(trial, ruby.offset('rb_wasm_try_catch.context'))
  const run = emitIf(work, emitCallIndirect(ruby.type('ruby_xfree'), work, argument))
  const targetFrame = emitLoad(ruby.variable('ruby_current_ec'), ruby.offset('rb_execution_context_struct.tag'))
  const isReturning = emitEqual(emitLoad(target, state), ruby.constant('JMP_BUF_STATE_RETURNING'))
  return emitFunctionBody(
    1,
    emitIf(
      emitEqual(ruby.asyncifyState, emitConst(asyncifyStates.running)),
      emitStore(jump, keptPointer, ruby.stackPointer),
    ),
    emitStore(jump, state, captured),
    emitIf(
      emitEqual(emitLoad(trial, phase), ruby.constant('TRY_CATCH_PHASE_MAIN')),
      emitLocalSet(2, emitLoad(trial, workMember)),
    ),
    emitIf(emitEqual(emitLoad(trial, phase), rescue), emitLocalSet(2, emitLoad(trial, rescueMember))),
    run,
    emitWhile(
      emitAll(isUnwinding, emitEqual(activeJump, jump)),
      ruby.call('asyncify_stop_rewind'),
      ruby.setStackPointer(emitLoad(jump, keptPointer)),
      emitStore(jump, state, captured),
      emitStore(trial, phase, rescue),
      ruby.setVariable('_rb_wasm_active_jmpbuf', emitConst(0)),
      emitLocalSet(2, emitLoad(trial, rescueMember)),
      run,
    ),
    emitIf(
      isUnwinding,
      emitLocalSet(2, activeJump),
      emitIf(target, emitIf(emitAll(isReturning, emitIsLess(trial, targetFrame)), ruby.call('ruby_xfree', jump))),
    ),
  )
}
