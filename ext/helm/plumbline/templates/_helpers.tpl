{{- define "plumbline.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "plumbline.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "plumbline.certname" -}}
{{- .Values.certname | default (printf "%s.%s.svc.cluster.local" (include "plumbline.name" .) .Release.Namespace) -}}
{{- end -}}
