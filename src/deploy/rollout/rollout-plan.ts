/** The plan of a rollout: `rollout.yaml` at the root of an environment, or the default in the settings. */
export interface RolloutPlan {
  /** Waves in their order. The last wave contains all nodes that no earlier wave contains. */
  readonly waves: readonly WavePlan[]
  readonly halt: HaltConditions
  /** `rollback` assigns the stable commit to all nodes again; `pause` starts no further wave. */
  readonly onHalt: 'rollback' | 'pause'
  /** Handling of a push during a rollout: it replaces the rollout, or waits for its end. */
  readonly onPush: 'supersede' | 'queue'
  readonly order: RunOrder
  /** Times at which a wave may start; empty for any time. */
  readonly windows: readonly TimeWindow[]
}

/** A wave: the nodes that receive the commit together. */
export interface WavePlan {
  readonly name: string
  /** Undefined for all nodes that no earlier wave contains. */
  readonly nodes: WaveNodes | undefined
  /**
   * Seconds for which the wave is observed before the next one starts. Undefined if the next wave starts as soon as all
   * nodes have reported.
   */
  readonly waitSeconds: number | undefined
  /** True if a person must approve the start of the wave. */
  readonly approve: boolean
}

/**
 * Selects the nodes of a wave. Candidates are the nodes of `certnames` and `query` together, or all nodes without both;
 * `percent` reduces them to a share.
 */
export interface WaveNodes {
  /** Certnames, which may contain `*`. */
  readonly certnames: readonly string[]
  /** PQL query whose rows contain a certname. */
  readonly query: string | undefined
  /** Share of the candidates, over 0 and at most 100: those whose certname has the lowest hash. */
  readonly percent: number | undefined
  /** Paths of facts or trusted facts. The share is taken in each group of nodes with the same values. */
  readonly by: readonly string[]
}

/** Conditions that halt a rollout. */
export interface HaltConditions {
  readonly failed: Threshold | undefined
  readonly unreachable: Threshold | undefined
  readonly corrective: Threshold | undefined
  /** Number of nodes from which a threshold applies; fewer if the wave has fewer nodes. */
  readonly minimum: number
  /** PQL query; its certnames among the nodes that reported the commit count as failed. */
  readonly query: string | undefined
  readonly metrics: readonly MetricCheck[]
  readonly http: readonly HttpCheck[]
}

/** A share of a wave's nodes, or a number of nodes. */
export type Threshold = { readonly percent: number } | { readonly count: number }

/** A query to a Prometheus server. The rollout halts if a value is above or below a bound. */
export interface MetricCheck {
  /** Address of the server, such as `https://prometheus.example.com:9090`. */
  readonly url: string
  readonly query: string
  readonly above: number | undefined
  readonly below: number | undefined
}

/** A request whose response must have a status. */
export interface HttpCheck {
  readonly url: string
  readonly status: number
}

/** Runs that the server orders from connected nodes. */
export interface RunOrder {
  /** Largest number of ordered runs at the same time. */
  readonly maxAtOnce: number
  /** True if the server orders a run from each connected node when its wave starts or is rolled back. */
  readonly runNow: boolean
}

/** A weekly recurring time in a time zone. */
export interface TimeWindow {
  /** Days of the week, 0 for Sunday. */
  readonly days: readonly number[]
  /** Minutes since midnight; `to` is exclusive and may be 1440. */
  readonly from: number
  readonly to: number
  /** IANA name, such as `Europe/Paris`. */
  readonly timeZone: string
}
