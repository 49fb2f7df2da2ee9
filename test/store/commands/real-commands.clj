;; Asks PuppetDB's own code what it makes of commands: a JSON list of [command, version, payload text] in, what it would
;; store, or what it says, out: a line for each. No database is asked.
;;   java -cp /usr/share/puppetdb/puppetdb.jar clojure.main real-commands.clj IN OUT
(require '[clojure.string :as string]
         '[puppetlabs.puppetdb.cheshire :as json]
         '[puppetlabs.puppetdb.command :as command]
         '[puppetlabs.puppetdb.queue :as queue]
         '[puppetlabs.puppetdb.time :as time])

(def received "2026-11-23T00:00:00.000Z")

(defn moment [value]
  (some-> (if (instance? java.sql.Timestamp value) value (time/to-timestamp value)) time/to-date-time time/to-string))

(def moments #{:producer_timestamp :start_time :end_time :timestamp})

(defn with-moments [value]
  (cond
    (map? value) (into {} (for [[key each] value] [key (if (moments key) (moment each) (with-moments each))]))
    (coll? value) (mapv with-moments value)
    :else value))

(defn stored [command payload]
  (case command
    "replace catalog" (-> payload
                          (update :resources vals)
                          (update :edges vec)
                          (update :producer_timestamp moment))
    "replace facts" (-> payload (dissoc :timestamp) (update :producer_timestamp moment))
    (with-moments payload)))

(defn payload-of [text]
  (queue/stream->json (java.io.ByteArrayInputStream. (.getBytes text "UTF-8"))))

(defn answer [[command version text]]
  (try
    (let [request {:command command :version version :received received :payload (payload-of text)}
          prepared (with-redefs [time/now (fn [] (time/to-date-time received))]
                     (command/prep-command request {}))]
      (if (command/supported-command? request)
        {:stored (stored command (:payload prepared))}
        {:error (str "Unsupported command " command " version " version)}))
    (catch Throwable error
      {:error (str (.getMessage (if (= "" (.getMessage error)) (.getCause error) error)))})))

(let [[in out] *command-line-args*]
  (spit out (string/join "\n" (map (comp json/generate-string answer) (json/parse-string (slurp in)))))
  (System/exit 0))
