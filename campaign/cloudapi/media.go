package cloudapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"time"

	"github.com/wactl/wactl/campaign/preflight"
)

// slowestUpload is the bytes a second that an upload is waited for, beside the time of any request.
const slowestUpload = 64 << 10

// Upload gives the platform a file for messages of this number and is its id, good for 30 days. kind is its MIME type, size its bytes; open
// starts it afresh, since an upload that a fault spoiled is tried again. Uploading twice harms nobody.
func (c *Client) Upload(ctx context.Context, numberID, name, kind string, size int64, open func() (io.ReadCloser, error)) (id string, err error) {
	what := "upload of " + name
	if err := checkNumberID(numberID); err != nil || c.door.Path != "" {
		return "", &preflight.Refusal{What: what, Details: cmp.Or(err, ErrNoReads).Error()}
	}
	address := c.endpoint.JoinPath(url.PathEscape(numberID), "media").String()
	for try := 1; ; try++ {
		x, err := c.post(ctx, address, name, kind, size, open)
		if err != nil {
			return "", err
		}
		refused := c.refusal(what, x)
		if refused == nil {
			return c.uploaded(what, x)
		}
		wait, again := patience(refused, try)
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		if !again {
			return "", refused
		}
		if err := pause(ctx, wait); err != nil {
			return "", err
		}
	}
}

func (c *Client) uploaded(what string, x exchanged) (string, error) {
	var answer struct {
		ID text `json:"id"`
	}
	if err := json.Unmarshal(x.body, &answer); err != nil || answer.ID == "" {
		return "", &preflight.Refusal{What: what, HTTPStatus: x.status, Details: "the answer names no media id"}
	}
	return c.hide(string(answer.ID)), nil
}

// post streams the file: a hundred megabytes need not be in memory.
func (c *Client) post(ctx context.Context, address, name, kind string, size int64, open func() (io.ReadCloser, error)) (exchanged, error) {
	file, err := open()
	if err != nil {
		return exchanged{}, err
	}
	defer file.Close()
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	done := make(chan struct{})
	go func() {
		defer close(done)
		write.CloseWithError(writeForm(form, name, kind, size, file))
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout+time.Duration(size/slowestUpload)*time.Second, errTimeout)
	defer cancel()
	x := c.askFor(ctx, http.MethodPost, address, form.FormDataContentType(), read)
	read.CloseWithError(errNoAnswer) // an answer may come before the file has left
	<-done
	return x, nil
}

func writeForm(form *multipart.Writer, name, kind string, size int64, file io.Reader) error {
	for _, field := range [][2]string{{"messaging_product", "whatsapp"}, {"type", kind}} {
		if err := form.WriteField(field[0], field[1]); err != nil {
			return err
		}
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("file", name)},
		"Content-Type":        {kind},
	})
	if err != nil {
		return err
	}
	n, err := io.Copy(part, io.LimitReader(file, size+1))
	if err == nil && n != size {
		err = fmt.Errorf("%s changed while it was read", name)
	}
	if err != nil {
		return err
	}
	return form.Close()
}
