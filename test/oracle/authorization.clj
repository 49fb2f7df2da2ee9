;; Answers as Puppet Server's trapperkeeper-authorization does; asked by test/oracle/authorization.js.
;;
;;   java -cp /usr/share/puppetserver/puppetserver.jar clojure.main test/oracle/authorization.clj
;;
;; Reads one JSON document a line. `{"certificates": [PEM, ...]}` sets the clients' certificates and prints `{}`.
;; `{"conf": TEXT, "requests": [{"method", "url", "certificate": INDEX, "headers": {}}]}` prints `{"error": REASON}` for
;; a file that is rejected, otherwise `{"verdicts": [true, false or the text of an exception]}`.
(require '[cheshire.core :as json]
         '[puppetlabs.config.typesafe :as typesafe]
         '[puppetlabs.puppetserver.certificate-authority :as ca]
         '[puppetlabs.ssl-utils.core :as ssl-utils]
         '[puppetlabs.trapperkeeper.authorization.ring-middleware :as middleware]
         '[puppetlabs.trapperkeeper.services.authorization.authorization-core :as core]
         '[puppetlabs.trapperkeeper.services.webserver.normalized-uri-helpers :as uris])
(import '(java.io StringReader)
        '(javax.servlet.http HttpServletRequest)
        '(ch.qos.logback.classic Level)
        '(org.slf4j LoggerFactory))

(.setLevel (LoggerFactory/getLogger "ROOT") Level/OFF)

(def oid-map (ca/get-oid-mappings "/nonexistent"))

(defn read-rules [text]
  (-> (StringReader. text)
      typesafe/reader->map
      :authorization
      core/validate-auth-config!))

(defn normalize-path [raw]
  (uris/normalize-uri-path (reify HttpServletRequest (getRequestURI [_] raw))))

(defn ring-request [certificates {:keys [method url certificate headers]}]
  (let [[path query] (clojure.string/split url #"\?" 2)]
    {:uri (normalize-path path)
     :query-string query
     :request-method (keyword method)
     :remote-addr "127.0.0.1"
     :headers (into {} (for [[name value] headers] [(clojure.core/name name) value]))
     :ssl-client-cert (when certificate (nth certificates certificate))}))

(defn verdict [config rules certificates request]
  (try
    (:authorized (middleware/authorization-check (ring-request certificates request) rules oid-map
                                                 (get config :allow-header-cert-info false) nil nil))
    (catch Throwable error (str error))))

(defn answer [certificates {:keys [conf requests]}]
  (try
    (let [config (read-rules conf)
          rules (core/transform-config (:rules config))]
      (doall rules)
      {:verdicts (mapv #(verdict config rules certificates %) requests)})
    (catch Throwable error {:error (str error)})))

(let [certificates (atom [])]
  (doseq [line (line-seq (java.io.BufferedReader. *in*))
          :let [question (json/parse-string line true)]]
    (println
     (json/generate-string
      (if-let [pems (:certificates question)]
        (do (reset! certificates (mapv #(first (ssl-utils/pem->certs (StringReader. %))) pems)) {})
        (answer @certificates question))))
    (flush)))
