//go:build windows

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"regexp"
	"syscall"
	"unsafe"
)

const (
	uiNone        = 2
	chooseFile    = 1
	stateVerify   = 1
	stateClose    = 2
	nameAttribute = 3
	commonName    = "2.5.4.3\x00"
)

var (
	verifyTrust        = wintrust.NewProc("WinVerifyTrust")
	providerData       = wintrust.NewProc("WTHelperProvDataFromStateData")
	signerOfProvider   = wintrust.NewProc("WTHelperGetProvSignerFromChain")
	certificateOfChain = wintrust.NewProc("WTHelperGetProvCertFromChain")
	certificateName    = crypt32.NewProc("CertGetNameStringW")
)

// genericVerify is WINTRUST_ACTION_GENERIC_VERIFY_V2, the policy for signed files.
var genericVerify = syscall.GUID{
	Data1: 0x00aac56b, Data2: 0xcd44, Data3: 0x11d0, Data4: [8]byte{0x8c, 0xc2, 0x00, 0xc0, 0x4f, 0xc2, 0x95, 0xee},
}

// trustFile is WINTRUST_FILE_INFO.
type trustFile struct {
	size uint32
	path *uint16
	file syscall.Handle
	_    *syscall.GUID
}

// trustData is WINTRUST_DATA.
type trustData struct {
	size              uint32
	policy, client    uintptr
	ui                uint32
	revocation        uint32
	choice            uint32
	file              *trustFile
	action            uint32
	state             syscall.Handle
	url               *uint16
	flags             uint32
	uiContext         uint32
	signatureSettings uintptr
}

var checksum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// checkInstaller refuses a file unless it has this SHA-256, and a valid signature of this publisher. Nobody can change the
// file meanwhile; between the check and the file's use, its folder has to keep others out.
func checkInstaller(path, publisher, sha256Text string) error {
	pathText, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return failure{"file", err}
	}
	handle, err := syscall.CreateFile(pathText, syscall.GENERIC_READ, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return failure{"file", err}
	}
	file := os.NewFile(uintptr(handle), path)
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return failure{"file", err}
	}
	if hex.EncodeToString(hash.Sum(nil)) != sha256Text {
		return failure{reason: "checksum"}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return failure{"file", err}
	}
	found, err := signer(pathText, handle)
	if err != nil {
		return failure{"signature", err}
	}
	if found != publisher {
		return failure{reason: "publisher"}
	}
	return nil
}

// signer returns the name in the certificate that signed a file, if the system trusts it. Revocation isn't asked for, which
// would take a network: the checksum already names one file.
func signer(path *uint16, handle syscall.Handle) (string, error) {
	file := trustFile{path: path, file: handle}
	file.size = uint32(unsafe.Sizeof(file))
	data := trustData{ui: uiNone, choice: chooseFile, file: &file, action: stateVerify}
	data.size = uint32(unsafe.Sizeof(data))
	verify := func() uintptr {
		result, _, _ := verifyTrust.Call(uintptr(syscall.InvalidHandle),
			uintptr(unsafe.Pointer(&genericVerify)), uintptr(unsafe.Pointer(&data)))
		return result
	}
	for _, function := range []*syscall.LazyProc{
		verifyTrust, providerData, signerOfProvider, certificateOfChain, certificateName,
	} {
		if err := function.Find(); err != nil {
			return "", err
		}
	}
	result := verify()
	defer func() {
		data.action = stateClose
		verify()
	}()
	if uint32(result) != 0 {
		return "", syscall.Errno(uint32(result))
	}
	provider, _, _ := providerData.Call(uintptr(data.state))
	if provider == 0 {
		return "", errors.New("no provider")
	}
	chain, _, _ := signerOfProvider.Call(provider, 0, 0, 0)
	if chain == 0 {
		return "", errors.New("no signer")
	}
	// CRYPT_PROVIDER_CERT
	certificate, _, _ := certificateOfChain.Call(chain, 0)
	if certificate == 0 {
		return "", errors.New("no certificate")
	}
	context := (*(**struct {
		size    uint32
		context uintptr
	})(unsafe.Pointer(&certificate))).context
	attribute := []byte(commonName)
	name := [256]uint16{}
	length, _, _ := certificateName.Call(context, nameAttribute, 0,
		uintptr(unsafe.Pointer(&attribute[0])), uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)))
	// 1 is the end of an empty name.
	if length <= 1 {
		return "", errors.New("no name")
	}
	return syscall.UTF16ToString(name[:]), nil
}
